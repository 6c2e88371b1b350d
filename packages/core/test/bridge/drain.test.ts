import type { Connection, Transport } from '@rxmcp/transport';
import { expect, it, onTestFinished, vi } from 'vitest';
import { bridge } from '../../src/index.js';
import { pipe } from '../rig/pipe.js';
import { turn } from '../rig/turn.js';
import { joined } from './joined.js';

/** Which of these are over, as it changes. */
function over(...works: readonly Promise<unknown>[]): boolean[] {
  const done = works.map(() => false);
  for (const [at, work] of works.entries()) void work.then(() => (done[at] = true));
  return done;
}

function virtualTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

it('two drains while a call runs both end with it', async () => {
  virtualTime();
  const { front, back, served } = await joined();
  front.put({ jsonrpc: '2.0', id: 1, method: 'x/call', params: {} });
  await turn();
  const drained = over(served.drain({ timeoutMs: 60_000 }), served.drain({ timeoutMs: 60_000 }));
  await turn();
  expect(drained).toEqual([false, false]);
  back.put({ jsonrpc: '2.0', id: back.sent.at(-1)?.id, result: {} });
  await turn();
  expect(front.sent.at(-1)).toMatchObject({ id: 1, result: {} });
  expect(drained).toEqual([true, true]);
  expect(vi.getTimerCount()).toBe(0);
});

it('each of two drains has its own timeout', async () => {
  virtualTime();
  const { front, served } = await joined();
  front.put({ jsonrpc: '2.0', id: 1, method: 'x/call', params: {} });
  await turn();
  const drained = over(served.drain({ timeoutMs: 100 }), served.drain({ timeoutMs: 200 }));
  await turn();
  await vi.advanceTimersByTimeAsync(100);
  expect(drained).toEqual([true, false]);
  await vi.advanceTimersByTimeAsync(100);
  expect(drained).toEqual([true, true]);
});

it('a drain does not wait longer for a server that is being dialled', async () => {
  virtualTime();
  const [front, back] = [pipe(), pipe()];
  let reached: (connection: Connection) => void = () => undefined;
  const there: Transport = { name: 'script', dial: () => new Promise((resolve) => (reached = resolve)) };
  const served = bridge(there).accept(front.connection);
  const drained = over(served.drain({ timeoutMs: 100 }));
  await vi.advanceTimersByTimeAsync(99);
  expect(drained).toEqual([false]);
  await vi.advanceTimersByTimeAsync(1);
  expect(drained).toEqual([true]);
  // A drain closes the connections then, and a server connection that opens too late is closed.
  await front.connection.close();
  reached(back.connection);
  await turn();
  expect(back.closed).toBe(true);
  await served.closed;
});

it('a server that connects during a drain has the rest of the time', async () => {
  virtualTime();
  const [front, back] = [pipe(), pipe()];
  let reached: (connection: Connection) => void = () => undefined;
  const there: Transport = { name: 'script', dial: () => new Promise((resolve) => (reached = resolve)) };
  const served = bridge(there).accept(front.connection);
  onTestFinished(() => front.connection.close());
  const drained = over(served.drain({ timeoutMs: 100 }));
  await vi.advanceTimersByTimeAsync(60);
  reached(back.connection);
  await turn();
  // Nothing was in flight.
  expect(drained).toEqual([true]);
});
