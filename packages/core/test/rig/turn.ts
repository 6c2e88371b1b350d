import { onTestFinished, vi } from 'vitest';

// Taken when the module loads, so that a test's virtual clock does not hold it back.
const immediate = setImmediate;
const timeout = setTimeout;

/** Lets everything that is due run: microtasks, timers of zero length, work in the thread pool that is ready, and turns of the event loop. */
export async function turn(times = 64): Promise<void> {
  for (let i = 0; i < times; i += 1) {
    if (vi.isFakeTimers()) await vi.advanceTimersByTimeAsync(0);
    await new Promise<void>((resolve) => immediate(resolve));
    if (i === 1) await new Promise<void>((resolve) => void timeout(resolve, 2));
  }
}

/** Waits until a condition holds; rejects after 60 s of real time, which only ends what hangs. */
export async function until(condition: () => boolean): Promise<void> {
  const from = process.hrtime.bigint();
  while (!condition()) {
    if (process.hrtime.bigint() - from > 60_000_000_000n)
      throw new Error(`never held: ${condition.toString()}`);
    await turn(1);
  }
}

/** Waits some real time, for timers of a few milliseconds. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Gives each turn of the event loop time for one step of large work: two looks at the clock use up its 10 ms. */
export function oneStepEachTurn(): void {
  // From the real time on: a turn that has begun before must end in this clock too.
  let time = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (time += 6));
  onTestFinished(() => clock.mockRestore());
}
