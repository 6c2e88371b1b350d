const longestMs = 2 ** 31 - 1;

/**
 * Returns a delay for `setTimeout`, in milliseconds, at most 2147483647 (24 days). A timer with a longer delay, such as `Infinity`,
 * would fire at once.
 *
 * @example
 * const alarm = setTimeout(() => channel.close(), clampTimeout(writeTimeoutMs));
 */
export function clampTimeout(ms: number): number {
  return Math.min(ms, longestMs);
}

/**
 * Sets a timer that does not keep the process alive, where the platform supports it. `clearTimeout` stops it. The delay is in
 * milliseconds, at most 24 days.
 *
 * @example
 * const alarm = setUnrefTimeout(() => channel.close(), writeTimeoutMs);
 */
export function setUnrefTimeout(callback: () => void, ms: number): ReturnType<typeof setTimeout> {
  const handle = setTimeout(callback, clampTimeout(ms)) as unknown as { unref?: () => void };
  handle.unref?.();
  return handle as unknown as ReturnType<typeof setTimeout>;
}

/**
 * Resolves once a promise has resolved or rejected, or after `ms` milliseconds. Never rejects.
 *
 * @example
 * await settleWithin(writer.flushed(), 2_000);
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
