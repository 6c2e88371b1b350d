import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Sweep } from '../../src/server/sweep.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => {
  vi.restoreAllMocks();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const advance = (seconds: number): unknown => vi.advanceTimersByTime(seconds * 1_000);

it('looks as rarely as its deadlines allow', () => {
  const looked: number[] = [];
  const sweep: Sweep = new Sweep(() => (looked.push(sweep.tick), 15));
  sweep.wake();
  advance(61);
  expect(looked).toEqual([1, 16, 31, 46, 61]);
  sweep.stop();
});

it('counts on while it sleeps, and looks within a second of wake()', () => {
  const looked: number[] = [];
  const sweep: Sweep = new Sweep(() => (looked.push(sweep.tick), looked.length === 1 ? 15 : 1));
  sweep.wake();
  advance(1);
  for (const second of [2, 3, 9]) {
    advance(second - sweep.tick);
    expect(sweep.tick).toBe(second);
  }
  sweep.wake();
  sweep.wake();
  expect(sweep.tick).toBe(9);
  advance(2);
  expect(looked).toEqual([1, 10, 11]);
  sweep.stop();
  expect(sweep.tick).toBe(11);
});

it('fault 23: the time that a process was held up does not count', () => {
  const sweep = new Sweep(() => 15);
  sweep.wake();
  advance(1);
  advance(3);
  expect(sweep.tick).toBe(4);
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 3_600_000);
  expect(sweep.tick).toBe(4);
  // The timer that was due meanwhile comes now.
  advance(12);
  expect(sweep.tick).toBe(4);
  // A clock that runs backwards, as where a test ends its virtual time.
  now.mockReturnValue(0);
  expect(sweep.tick).toBe(4);
  sweep.stop();
});

it.each([1.5, 1.9, 2, 4.3])('keeps time with a caller of wake() each %d s', (each) => {
  const sweep = new Sweep(() => 15);
  sweep.wake();
  for (let at = 0; at < 300; at += each) {
    vi.advanceTimersByTime(each * 1_000);
    sweep.wake();
  }
  expect(Math.abs(sweep.tick - Math.floor(performance.now() / 1_000))).toBeLessThanOrEqual(1);
  sweep.stop();
});

it('looks each hour where the next deadline is weeks away', () => {
  let looks = 0;
  const sweep = new Sweep(() => ((looks += 1), 10_000_000));
  sweep.wake();
  advance(2 * 3_600 + 1);
  expect([looks, sweep.tick]).toEqual([3, 7_201]);
  sweep.stop();
});

it('stops when nothing waits, and keeps its count', () => {
  const sweep = new Sweep(() => 0);
  sweep.wake();
  advance(1);
  expect([sweep.tick, vi.getTimerCount()]).toEqual([1, 0]);
  advance(60);
  expect(sweep.tick).toBe(1);
  sweep.wake();
  advance(1);
  expect(sweep.tick).toBe(2);
});
