import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { unheldTimer, within } from '../src/index.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('an unreferenced timer keeps no process alive, and never fires where it waits for ever', () => {
  vi.useRealTimers();
  const real = unheldTimer(() => undefined, 60_000);
  expect(real.hasRef()).toBe(false);
  clearTimeout(real);
  vi.useFakeTimers();
  const fired = vi.fn();
  unheldTimer(() => fired('soon'), 50);
  unheldTimer(() => fired('never'), Infinity);
  vi.advanceTimersByTime(86_400_000);
  expect(fired.mock.calls).toEqual([['soon']]);
});

it.each([
  ['done', () => Promise.resolve()],
  ['refused', () => Promise.reject(new Error('no'))],
])('waits for work until it is %s, and leaves no timer', async (_, work) => {
  await within(work(), Infinity);
  expect(vi.getTimerCount()).toBe(0);
});

it('waits for work no longer than it may take', async () => {
  const over = vi.fn();
  void within(new Promise(() => undefined), 1_000).then(over);
  await vi.advanceTimersByTimeAsync(999);
  expect(over).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(over).toHaveBeenCalledOnce();
});
