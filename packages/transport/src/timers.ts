const longestMs = 2 ** 31 - 1;

/**
 * The delay of a timer that is to last as long as an option says, in milliseconds. A timer that is set to more than it can hold
 * goes off at once; here that, and `Infinity`, is as long as it can: 24 days.
 *
 * @example
 * const alarm = setTimeout(() => carrier.close(), clampTimeout(writeTimeoutMs));
 */
export function clampTimeout(ms: number): number {
  return Math.min(ms, longestMs);
}

/**
 * A timer that keeps no process alive where a platform lets a timer say so. `clearTimeout` stops it; `Infinity` is 24 days.
 *
 * @example
 * const alarm = setUnrefTimeout(() => carrier.close(), writeTimeoutMs);
 */
export function setUnrefTimeout(callback: () => void, ms: number): ReturnType<typeof setTimeout> {
  const handle = setTimeout(callback, clampTimeout(ms)) as unknown as { unref?: () => void };
  handle.unref?.();
  return handle as unknown as ReturnType<typeof setTimeout>;
}

/**
 * Resolves once the work has settled, however it did, or after `ms` milliseconds. Never rejects.
 *
 * @example
 * await within(writer.flushed(), 2_000);
 */
export function settleWithin(work: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, clampTimeout(ms));
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    work.then(done, done);
  });
}
