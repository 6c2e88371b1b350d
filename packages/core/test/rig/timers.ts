import { onTestFinished } from 'vitest';

type Handle = ReturnType<typeof setTimeout>;

/**
 * The timers that were set since and neither ran out nor were cleared, until the end of the test. Those that keep no process
 * alive count too, though Node lists them nowhere.
 */
export function countTimers(): () => number {
  const pending = new Set<unknown>();
  const real = { setTimeout, clearTimeout, setInterval, clearInterval };
  const counted = (set: (callback: () => void, ms?: number) => Handle, ranOut: (handle: Handle) => void) => {
    return (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]): Handle => {
      const handle = set(() => {
        ranOut(handle);
        callback(...args);
      }, ms);
      pending.add(handle);
      return handle;
    };
  };
  const cleared = (clear: (handle: Handle | undefined) => void) => (handle?: Handle) => {
    pending.delete(handle);
    clear(handle);
  };
  Object.assign(globalThis, {
    setTimeout: counted(real.setTimeout, (handle) => void pending.delete(handle)),
    clearTimeout: cleared(real.clearTimeout),
    setInterval: counted(real.setInterval, () => undefined),
    clearInterval: cleared(real.clearInterval),
  });
  onTestFinished(() => void Object.assign(globalThis, real));
  return () => pending.size;
}
