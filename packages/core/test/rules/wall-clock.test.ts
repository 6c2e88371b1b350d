import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { connected, rawServer } from '../rig/raw-server.js';
import { turn } from '../rig/turn.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const hourMs = 3_600_000;

it.each([
  ['forwards', hourMs],
  ['back', -hourMs],
])('fault 22: a wall clock that jumps an hour %s moves no deadline', async (_where, jumpMs) => {
  const server = rawServer(() => undefined, { era: 'modern' });
  const remote = await connected(server);
  const ends: string[] = [];
  const call = remote.request('x/y', {}, { idleTimeoutMs: 1_000 });
  call.subscribe({ error: (error: Error) => ends.push(error.message) });
  await turn(1);
  await vi.advanceTimersByTimeAsync(500);
  vi.setSystemTime(Date.now() + jumpMs);
  await vi.advanceTimersByTimeAsync(498);
  expect(ends).toEqual([]);
  await vi.advanceTimersByTimeAsync(2);
  expect(ends).toEqual(['"x/y" sent no response or progress for 1000 ms ("idleTimeoutMs")']);
  await remote.close();
});

it('fault 22: ids continue to grow when the wall clock is set back', async () => {
  const server = rawServer(() => undefined, { era: 'modern' });
  const remote = await connected(server);
  const ids: unknown[] = [];
  for (let round = 0; round < 3; round += 1) {
    const waiting = remote.request('x/y').subscribe();
    await turn(1);
    ids.push(server.pipes[0]?.sent.findLast((frame) => 'id' in frame && 'method' in frame)?.id);
    vi.setSystemTime(Date.now() - hourMs);
    waiting.unsubscribe();
  }
  expect(new Set(ids).size).toBe(3);
  await remote.close();
});
