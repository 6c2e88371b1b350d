import { NEVER } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Context } from '../../src/index.js';
import { once, RpcError } from '../../src/index.js';
import { connected, rawServer } from '../rig/raw-server.js';
import { roots } from '../rig/roots.js';
import { turn } from '../rig/turn.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A client whose user answers by hand, and a server that asks so many questions at once. */
function asking(count: number, handle?: (ctx: Context) => unknown) {
  const open: { give: (value: object) => void; refuse: (error: Error) => void; withdrawn: boolean }[] = [];
  let most = 0;
  let running = 0;
  const answers = roots((_params, ctx) => {
    if (handle !== undefined) return handle(ctx) as never;
    most = Math.max(most, (running += 1));
    return new Promise((resolve, reject) => {
      const one = {
        give: (value: object) => ((running -= 1), resolve(value as never)),
        refuse: reject,
        withdrawn: false,
      };
      ctx.signal.addEventListener('abort', () => (one.withdrawn = true));
      open.push(one);
    });
  });
  const inputRequests = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`k${i}`, { method: 'roots/list' }]),
  );
  let rounds = 0;
  const server = rawServer((frame) => {
    if (frame.method !== 'tools/call') return undefined;
    if (++rounds === 1) return { result: { resultType: 'input_required', inputRequests } };
    return { result: { answered: frame.params?.['inputResponses'] } };
  });
  return { server, offers: [answers], open, most: () => most, rounds: () => rounds };
}

describe('many asks in one result', () => {
  it('no more than 16 are shown to the user at a time, and all are answered under their keys', async () => {
    const { server, offers, open, most } = asking(64);
    const remote = await connected(server, { offers });
    const result = once(remote.request<{ answered: object }>('tools/call'));
    await turn();
    expect(open).toHaveLength(16);
    for (let i = 0; i < 64; i += 1) {
      open[i]?.give({ n: i });
      await turn(1);
    }
    await turn();
    const { answered } = await result;
    expect(answered).toEqual(Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`k${i}`, { n: i }])));
    expect(most()).toBe(16);
  });

  it('answers that come at once do not cause deep recursion', async () => {
    const depths: number[] = [];
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = Infinity;
    onTestFinished(() => void (Error.stackTraceLimit = stackTraceLimit));
    const { server, offers, rounds } = asking(64, () => {
      depths.push(new Error('here').stack?.split('\n').length ?? NaN);
      return {};
    });
    const remote = await connected(server, { offers });
    const result = once(remote.request<{ answered: object }>('tools/call'));
    await turn();
    expect(Object.keys((await result).answered)).toHaveLength(64);
    expect(new Set(depths).size).toBe(1);
    expect(rounds()).toBe(2);
  });

  it('more than 64 are invalid: no handler runs, the call ends', async () => {
    const { server, offers, open, rounds } = asking(65);
    const remote = await connected(server, { offers });
    const error = once(remote.request('tools/call')).catch((e: unknown) => e);
    await turn();
    expect(await error).toMatchObject({ code: 'INVALID_RESULT', outcome: 'answered' });
    expect([open.length, rounds()]).toEqual([0, 1]);
  });

  it('one refusal withdraws the others, and the rest is not asked', async () => {
    const { server, offers, open, rounds } = asking(20);
    const remote = await connected(server, { offers });
    const error = once(remote.request('tools/call')).catch((e: unknown) => e);
    await turn();
    open[3]?.refuse(new RpcError(-1, 'no'));
    await turn();
    expect(await error).toMatchObject({ code: 'ASK_REJECTED' });
    expect(open.map((one) => one.withdrawn).filter((withdrawn) => withdrawn)).toHaveLength(15);
    open[0]?.give({});
    await turn();
    expect([open.length, rounds()]).toEqual([16, 1]);
  });

  it('unsubscribing withdraws the pending asks, and the others are not sent', async () => {
    const { server, offers, open } = asking(20);
    const remote = await connected(server, { offers });
    const call = remote.request('tools/call').subscribe();
    await turn();
    call.unsubscribe();
    open[0]?.give({});
    await turn();
    expect(open.every((one) => one.withdrawn)).toBe(true);
    expect(open).toHaveLength(16);
  });

  it('a handler that cancels the call while it is called is the last to be called', async () => {
    let asked = 0;
    const contexts: Context[] = [];
    const { server, offers, rounds } = asking(20, (ctx) => {
      contexts.push(ctx);
      if (++asked === 3) call.unsubscribe();
      return NEVER;
    });
    const remote = await connected(server, { offers });
    const call = remote.request('tools/call').subscribe();
    await turn();
    expect([asked, rounds()]).toEqual([3, 1]);
    expect(contexts.map(({ signal }) => signal.aborted)).toEqual([true, true, true]);
  });

  it('a handler that fails to tear down does not keep the others running, and is reported', async () => {
    let ended = 0;
    const { server, offers } = asking(3, () => ({
      subscribe: () => ({
        unsubscribe: () => {
          if (++ended === 1) throw new Error('stuck');
        },
      }),
    }));
    const remote = await connected(server, { offers });
    const faults: unknown[] = [];
    remote.faults$.subscribe((fault) => faults.push(fault));
    const call = remote.request('tools/call').subscribe();
    await turn();
    call.unsubscribe();
    expect(ended).toBe(3);
    expect(faults).toMatchObject([{ code: 'HANDLER_FAILED' }]);
  });

  it('a "requestState" has at most 1,048,576 characters', async () => {
    const asked = (length: number) => {
      let rounds = 0;
      return rawServer(({ method }) => {
        if (method !== 'tools/call') return undefined;
        const asks = { resultType: 'input_required', requestState: 'x'.repeat(length) };
        return { result: ++rounds === 1 ? asks : { rounds } };
      });
    };
    const ends = [1_048_576, 1_048_577].map(async (length) =>
      once((await connected(asked(length))).request('tools/call')).catch((error: unknown) => error),
    );
    // Without an ask the request is repeated after a pause.
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await Promise.all(ends)).toMatchObject([
      { rounds: 2 },
      {
        code: 'INVALID_RESULT',
        message: expect.stringContaining('"requestState" of more than 1048576 characters') as string,
      },
    ]);
  });

  it.each([
    ['a type', { resultType: 'x'.repeat(1_000_000) }],
    ['an invalid type', { resultType: { deep: 'x'.repeat(1_000_000) } }],
    ['a key', { resultType: 'input_required', inputRequests: { ['\u001b[31m'.repeat(100_000)]: 7 } }],
  ])('%s that is odd is reported in a short and printable message', async (_what, result) => {
    const server = rawServer((frame) => (frame.method === 'tools/call' ? { result } : undefined));
    const remote = await connected(server);
    const error = once(remote.request('tools/call')).catch((e: unknown) => e as Error);
    await turn();
    const { message } = (await error) as Error;
    expect(message.length).toBeLessThan(300);
    // eslint-disable-next-line no-control-regex -- that is what it is about
    expect(message).not.toMatch(/[\u0000-\u001f]/);
  });
});
