/** Milliseconds on a clock that never jumps. */
export function now(): number {
  return performance.now();
}

/** A timer that does not keep a process alive. */
export function timer(callback: () => void, ms: number): ReturnType<typeof setTimeout> {
  const handle = setTimeout(callback, ms) as unknown as { unref?: () => void };
  handle.unref?.();
  return handle as unknown as ReturnType<typeof setTimeout>;
}

/** Runs once the microtasks that are due have run, and all that they queue. */
export function afterMicrotasks(callback: () => void): void {
  setTimeout(callback, 0);
}
