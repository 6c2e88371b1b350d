import { onTestFinished, vi } from 'vitest';

/** Passes the looks for input before work that waits. */
export async function turn(): Promise<void> {
  for (let look = 0; look < 16; look += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Time that passes only while work is done; returns what passes it. */
export async function workTime(): Promise<(ms: number) => void> {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  // The turn that has begun has an end on the real clock.
  await turn();
  return (ms) => void vi.advanceTimersByTime(ms);
}
