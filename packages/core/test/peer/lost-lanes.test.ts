import { expect, it, onTestFinished, vi } from 'vitest';
import { connected, lost, rawServer } from '../rig/raw-server.js';
import { turn } from '../rig/turn.js';

it('a call whose lane was closed is over: it has no deadline left', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const server = rawServer(() => undefined, {}, { lanes: 'per-request', idScope: 'lane' });
  const remote = await connected(server);
  const ends: unknown[] = [];
  remote.request('x/call').subscribe({ error: (error) => ends.push(error) });
  await turn();
  const [wire] = server.pipes;
  wire?.closeLane('x/call', lost());
  await turn();
  expect(ends).toMatchObject([{ outcome: 'unknown' }]);
  const ended = wire?.ended.length;
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect([server.calls().length, wire?.ended.length]).toEqual([1, ended]);
});
