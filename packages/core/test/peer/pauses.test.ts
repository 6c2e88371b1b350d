import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Calls } from '../../src/peer/calls.js';
import { pausesOf } from '../../src/peer/deadline-pauses.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const minute = 60_000;

/** A table of calls with lanes or without, and what ended in it. */
function table(perRequestLanes: boolean) {
  const ends: string[] = [];
  const calls = new Calls({
    perRequestLanes,
    maxInFlight: 10,
    send: () => undefined,
    expired: () => undefined,
    teardownFailed: () => undefined,
  });
  const begin = (method: string, timeoutMs: number, totalTimeoutMs = timeoutMs) =>
    calls.start(
      method,
      () => undefined,
      { idleTimeoutMs: timeoutMs, totalTimeoutMs },
      {
        result: () => ends.push(`${method} done`),
        failed: () => ends.push(method),
      },
    );
  return { calls, ends, begin };
}

describe('while an ask of the peer is answered', () => {
  it('only the call whose lane it came on stands still', async () => {
    const { calls, ends, begin } = table(true);
    const asked = begin('asked', minute);
    begin('other', minute);
    const go = calls.pause(pausesOf, asked.lane);
    await vi.advanceTimersByTimeAsync(5 * minute);
    expect(ends).toEqual(['other']);
    go();
    await vi.advanceTimersByTimeAsync(minute - 1);
    expect(ends).toEqual(['other']);
    await vi.advanceTimersByTimeAsync(1);
    expect(ends).toEqual(['other', 'asked']);
  });

  it('a new call next to a paused lane has its own clock', async () => {
    const { calls, ends, begin } = table(true);
    const asked = begin('asked', minute);
    calls.pause(pausesOf, asked.lane);
    begin('later', minute);
    await vi.advanceTimersByTimeAsync(minute);
    expect(ends).toEqual(['later']);
  });

  it('progress on a paused lane does not shorten the pause', async () => {
    const { calls, ends, begin } = table(true);
    const asked = begin('asked', minute, 60 * minute);
    const go = calls.pause(pausesOf, asked.lane);
    await vi.advanceTimersByTimeAsync(3 * minute);
    calls.progress({ progressToken: asked.id, progress: 1 });
    await vi.advanceTimersByTimeAsync(3 * minute);
    go();
    await vi.advanceTimersByTimeAsync(minute - 1);
    expect(ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(ends).toEqual(['asked']);
  });

  it('on a shared pipe every clock stands still, for 10 minutes at most', async () => {
    const { calls, ends, begin } = table(false);
    begin('a', minute);
    const go = calls.pause(pausesOf);
    begin('b', 2 * minute);
    await vi.advanceTimersByTimeAsync(11 * minute - 1);
    expect(ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(ends).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(minute);
    expect(ends).toEqual(['a', 'b']);
    go();
  });

  it('overlapping asks stop a clock once, each for its own time', async () => {
    const { calls, ends, begin } = table(false);
    begin('a', minute);
    const first = calls.pause(pausesOf);
    await vi.advanceTimersByTimeAsync(6 * minute);
    const second = calls.pause(pausesOf);
    first();
    first();
    await vi.advanceTimersByTimeAsync(9 * minute);
    expect(ends).toEqual([]);
    second();
    await vi.advanceTimersByTimeAsync(minute);
    expect(ends).toEqual(['a']);
  });

  it.each([
    ['that overlap', 60],
    ['with gaps between them', -1],
  ])('asks %s pause a call for an hour in all', async (_how, overlapMs) => {
    const { calls, ends, begin } = table(true);
    const { lane } = begin('a', minute, 5 * minute);
    let passedMs = 0;
    const pass = async (ms: number): Promise<void> => {
      passedMs += ms;
      await vi.advanceTimersByTimeAsync(ms);
    };
    let go: (() => void) | undefined;
    for (let asks = 0; asks < 20 && ends.length === 0; asks += 1) {
      if (overlapMs < 0) {
        go?.();
        await pass(-overlapMs);
      }
      const next = calls.pause(pausesOf, lane);
      if (overlapMs > 0) {
        await pass(overlapMs);
        go?.();
      }
      go = next;
      for (let parts = 0; parts < 100 && ends.length === 0; parts += 1) await pass(9 * minute * 0.01);
    }
    expect(ends).toEqual(['a']);
    expect(passedMs).toBeGreaterThanOrEqual(61 * minute);
    // It is looked at when an ask ends.
    expect(passedMs).toBeLessThan(71 * minute);
    expect(vi.getTimerCount()).toBe(1);
    go?.();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('progress restarts the idle time after that hour too, until the total time is over', async () => {
    const { calls, ends, begin } = table(false);
    const { id } = begin('a', 10 * minute, 30 * minute);
    let at = 0;
    for (; at < 200 && ends.length === 0; at += 1) {
      if (at % 9 === 0) calls.pause(pausesOf);
      calls.progress({ progressToken: id, progress: at });
      await vi.advanceTimersByTimeAsync(minute);
    }
    expect(at).toBeGreaterThanOrEqual(90);
    expect(at).toBeLessThanOrEqual(100);
    expect(ends).toEqual(['a']);
  });

  it('nothing is left when the calls end meanwhile', async () => {
    const { calls, ends, begin } = table(false);
    const call = begin('a', minute);
    const go = calls.pause(pausesOf);
    calls.settle({ jsonrpc: '2.0', id: call.id, result: {} });
    begin('b', minute);
    calls.failAll(new Error('gone'));
    expect(vi.getTimerCount()).toBe(0);
    go();
    expect([ends, vi.getTimerCount()]).toEqual([['a done', 'b'], 0]);
  });

  it('a listen that has no limit any more gets none from a pause', async () => {
    const { calls, ends, begin } = table(false);
    const go = calls.pause(pausesOf);
    calls.unlimited(begin('listen', minute));
    await vi.advanceTimersByTimeAsync(minute);
    go();
    await vi.advanceTimersByTimeAsync(100 * minute);
    expect(ends).toEqual([]);
  });
});
