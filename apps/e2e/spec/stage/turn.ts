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

/** Waits for something to be there; rejects after 10 s of real time, so that a test which waits in vain ends. */
export async function until<T>(found: () => T | undefined | false): Promise<T> {
  const end = process.hrtime.bigint() + 10_000_000_000n;
  for (;;) {
    const value = found();
    if (value !== undefined && value !== false) return value;
    if (process.hrtime.bigint() > end) throw new Error(`never held: ${found.toString()}`);
    await turn(1);
  }
}
