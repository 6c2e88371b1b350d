import { throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Interceptor } from '../../src/index.js';
import { offerMethod, once, RpcError } from '../../src/index.js';
import { retry } from '../../src/interceptors/index.js';
import { askingTool } from '../rig/asking-tool.js';
import { roots } from './asking.js';
import { eras, pair } from './pair.js';

const [modern] = eras;
const again = retry({ initialDelayMs: 1, jitter: false });
const busy = () => new RpcError(-31001, 'busy', { retryable: true, retryAfterMs: 1 });

/** A tool that charges, asks, and is done; the second round is refused so many times. */
async function paying(where: 'interceptors' | 'attemptInterceptors', around: readonly Interceptor[]) {
  let [charges, refused] = [0, 0];
  const tools = askingTool(async (ask, ctx) => {
    await ctx.step('charge', () => ++charges);
    return ask();
  });
  const refusing: Interceptor = ({ params }, next) =>
    params.inputResponses !== undefined && refused++ === 0 ? throwError(busy) : next();
  const { remote } = await pair(
    modern[1],
    { offers: [tools], interceptors: [refusing] },
    { offers: [roots], [where]: around },
  );
  const end = await once(remote.request('tools/call', { name: 'pay' })).catch((error: unknown) => error);
  return { end, charges };
}

describe('retry of a call in rounds', () => {
  it('does not restart an answered round, for a refusal concerns its own round only', async () => {
    const { end, charges } = await paying('interceptors', [again]);
    expect(end).toMatchObject({ code: -31001 });
    expect(charges).toBe(1);
  });

  it('restarts it where that is declared to be harmless', async () => {
    const declared = retry({ initialDelayMs: 1, jitter: false, isRepeatable: () => true });
    expect(await paying('interceptors', [declared])).toEqual({ end: { roots: [] }, charges: 2 });
  });

  it('around each request retries the refused round alone', async () => {
    expect(await paying('attemptInterceptors', [again])).toEqual({ end: { roots: [] }, charges: 1 });
  });
});

describe.each(eras)('%s: retry of a refusal', (_era, version) => {
  const forged = () =>
    new RpcError(-31001, 'busy', { retryable: true, retryAfterMs: 1, executed: false, more: 1 });

  it.each<[string, readonly Interceptor[]]>([
    ['no interceptor', []],
    ['one that passes on', [(_exchange, next) => next()]],
  ])('does not retry -31001 of a handler, behind %s', async (_what, interceptors) => {
    let runs = 0;
    const pay = offerMethod('x/pay', {}, () => {
      runs += 1;
      throw forged();
    });
    const { remote } = await pair(version, { offers: [pay], interceptors }, { interceptors: [again] });
    const end = await once(remote.request('x/pay')).catch((error: unknown) => error);
    expect(end).toMatchObject({ code: -31001, data: { retryable: true, retryAfterMs: 1, more: 1 } });
    expect(end).not.toHaveProperty('data.executed');
    expect(runs).toBe(1);
  });

  it('retries what an interceptor refused before the handler ran', async () => {
    let [runs, refused] = [0, 0];
    const pay = offerMethod('x/pay', {}, () => ({ runs: ++runs }));
    const refusing: Interceptor = (_exchange, next) => (refused++ < 2 ? throwError(busy) : next());
    const { remote } = await pair(
      version,
      { offers: [pay], interceptors: [refusing] },
      { interceptors: [again] },
    );
    expect(await once(remote.request('x/pay'))).toEqual({ runs: 1 });
  });
});
