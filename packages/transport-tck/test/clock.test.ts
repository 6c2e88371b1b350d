import { expect, it } from 'vitest';
import { holdsWithin, inTime, quiet, turns } from '../src/base/clock.js';

/** Counts macrotasks from now on. */
function macrotasks(): { count: number; stop: () => void } {
  const counter = { count: 0, stop: () => clearImmediate(next) };
  const again = (): void => {
    counter.count += 1;
    next = setImmediate(again);
  };
  let next = setImmediate(again);
  return counter;
}

function busy(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

it.each([undefined, 1, 2, 5])('turns(%s) are as many macrotasks', async (count) => {
  const counter = macrotasks();
  await turns(count);
  counter.stop();
  expect(counter.count).toBe(count ?? 1);
});

it('what arrives late is seen although the process was busy', async () => {
  const counter = macrotasks();
  const over = quiet();
  busy(10);
  await over;
  counter.stop();
  expect(counter.count).toBeGreaterThanOrEqual(5);
});

it('a condition is polled 60 times at least, and no more once it holds', async () => {
  let polls = 0;
  const never = holdsWithin(() => {
    polls += 1;
    return false;
  }, 1);
  busy(10);
  expect(await never).toBe(false);
  expect(polls).toBeGreaterThan(60);
  polls = 0;
  expect(await holdsWithin(() => (polls += 1) === 3, 60_000)).toBe(true);
  expect(polls).toBe(3);
});

it('what takes too long is rejected, and what does not leaves no timer', async () => {
  const late = new Error('late');
  await expect(inTime(new Promise(() => undefined), 1, () => late)).rejects.toBe(late);
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  expect(await inTime(Promise.resolve('soon'), 600_000, () => late)).toBe('soon');
  expect(timers()).toBe(before);
});
