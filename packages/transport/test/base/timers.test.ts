import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setUnrefTimeout, settleWithin } from '../../src/internal.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('an unreferenced timer keeps no process alive, and never fires where it waits for ever', () => {
  vi.useRealTimers();
  const real = setUnrefTimeout(() => undefined, 60_000);
  expect(real.hasRef()).toBe(false);
  clearTimeout(real);
  vi.useFakeTimers();
  const fired = vi.fn();
  setUnrefTimeout(() => fired('soon'), 50);
  setUnrefTimeout(() => fired('never'), Infinity);
  vi.advanceTimersByTime(86_400_000);
  expect(fired.mock.calls).toEqual([['soon']]);
});

it.each([
  ['done', () => Promise.resolve()],
  ['refused', () => Promise.reject(new Error('no'))],
])('waits for work until it is %s, and leaves no timer', async (_, work) => {
  await settleWithin(work(), Infinity);
  expect(vi.getTimerCount()).toBe(0);
});

it('waits for work no longer than it may take', async () => {
  const over = vi.fn();
  void settleWithin(new Promise(() => undefined), 1_000).then(over);
  await vi.advanceTimersByTimeAsync(999);
  expect(over).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(over).toHaveBeenCalledOnce();
});
