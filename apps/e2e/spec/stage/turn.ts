import { vi } from 'vitest';

// Taken when the module loads, so that a test's virtual clock does not hold them back.
const immediate = setImmediate;
const timeout = setTimeout;

/** Lets all that is due run: microtasks, what waits for a turn of the event loop, and timers of no length. */
export async function turn(times = 12): Promise<void> {
  for (let i = 0; i < times; i += 1) {
    if (vi.isFakeTimers()) await vi.advanceTimersByTimeAsync(0);
    await new Promise<void>((resolve) => void immediate(resolve));
    if (i % 4 === 1) await new Promise<void>((resolve) => void timeout(resolve, 1));
  }
}

/** Waits for something to be there; the limit of the test is the limit. */
export async function until<T>(found: () => T | undefined | false): Promise<T> {
  for (;;) {
    const value = found();
    if (value !== undefined && value !== false) return value;
    await turn(1);
  }
}
