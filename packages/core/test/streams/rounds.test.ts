import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { getRemoteLink } from '../../src/internal.js';
import { once } from '../../src/index.js';
import { connected, lost, rawServer } from '../rig/raw-server.js';
import { roots } from '../rig/roots.js';
import { turn } from '../rig/turn.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it('totalTimeoutMs is the time of all rounds together, without the time of asks', async () => {
  const answers: ((value: object) => void)[] = [];
  const asks = { result: { resultType: 'input_required', inputRequests: { a: { method: 'roots/list' } } } };
  let n = 0;
  const server = rawServer((frame, wire) => {
    const last = ++n > 1;
    setTimeout(() => last || wire.put({ jsonrpc: '2.0', id: frame.id, ...asks }), 600);
    return undefined;
  });
  const remote = await connected(server, {
    offers: [roots(() => new Promise((r) => answers.push(r as never)))],
  });
  const errors: string[] = [];
  remote
    .request('tools/call', {}, { totalTimeoutMs: 1_000 })
    .subscribe({ error: (e: Error) => errors.push(e.message) });
  await vi.advanceTimersByTimeAsync(600);
  await vi.advanceTimersByTimeAsync(500_000);
  answers[0]?.({ roots: [] });
  await vi.advanceTimersByTimeAsync(395);
  expect(errors).toEqual([]);
  await vi.advanceTimersByTimeAsync(10);
  expect(errors).toEqual(['"tools/call" exceeded "totalTimeoutMs"']);
});

it('an ask without an answer keeps the process alive and is withdrawn after 10 minutes, with its call', async () => {
  const made = vi.spyOn(globalThis, 'setTimeout');
  let signal: AbortSignal | undefined;
  const unanswered = roots((_params, ctx) => ((signal = ctx.signal), new Promise(() => undefined)));
  const server = rawServer(() => ({
    result: { resultType: 'input_required', inputRequests: { a: { method: 'roots/list' } } },
  }));
  const remote = await connected(server, { offers: [unanswered] });
  const errors: unknown[] = [];
  const call = (): { unsubscribe(): void } =>
    remote.request('tools/call').subscribe({ error: (error) => errors.push(error) });
  call();
  await vi.advanceTimersByTimeAsync(0);
  const limit = made.mock.results[made.mock.calls.findIndex(([, ms]) => ms === 600_000)]
    ?.value as NodeJS.Timeout;
  expect(limit.hasRef()).toBe(true);
  await vi.advanceTimersByTimeAsync(599_000);
  expect([errors, signal?.aborted]).toEqual([[], false]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(errors).toMatchObject([{ code: 'TIMEOUT', outcome: 'answered' }]);
  expect(signal?.aborted).toBe(true);
  const left = call();
  await vi.advanceTimersByTimeAsync(0);
  const timers = vi.getTimerCount();
  left.unsubscribe();
  expect(vi.getTimerCount()).toBe(timers - 1);
});

it('a server that sheds load is asked again, later each time, with its state', async () => {
  const at: number[] = [];
  const server = rawServer((frame) => {
    at.push(performance.now());
    const shed = { resultType: 'input_required', requestState: `s${at.length}` };
    return { result: at.length < 4 ? shed : { state: frame.params?.['requestState'] } };
  });
  const result = once((await connected(server)).request('tools/call'));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await result).toEqual({ state: 's3' });
  const gaps = at.slice(1).map((ms, i) => ms - (at[i] as number));
  expect(gaps[0]).toBeGreaterThan(0);
  expect(gaps[1]).toBeGreaterThan(gaps[0] as number);
  expect(gaps[2]).toBeGreaterThan(gaps[1] as number);
});

it.each(['modern', 'legacy'] as const)('%s: the level of logs survives a redial', async (era) => {
  const server = rawServer(() => ({ result: {} }), { era, capabilities: { logging: {} } });
  const remote = await connected(server);
  await Promise.all([once(getRemoteLink(remote).setLogLevel('info')), turn()]);
  server.pipes[0]?.end(lost());
  await turn();
  await Promise.all([once(remote.request('x/y')), turn()]);
  const frames = server.pipes[1]?.sent ?? [];
  const told =
    era === 'legacy'
      ? frames.find((f) => f.method === 'logging/setLevel')?.params?.['level']
      : frames.at(-1)?.params?._meta?.['io.modelcontextprotocol/logLevel'];
  expect(told).toBe('info');
});
