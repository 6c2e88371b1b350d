import { clampTimeout, setUnrefTimeout as timer } from '@rxmcp/transport/internal';

export { timer };

/** Returns milliseconds on a monotonic clock. */
export function now(): number {
  return performance.now();
}

/** Starts a timer that keeps the process alive. */
export function refTimer(callback: () => void, ms: number): ReturnType<typeof setTimeout> {
  return setTimeout(callback, clampTimeout(ms));
}

/** Sets whether a timer keeps the process alive. Does nothing outside Node. */
export function setTimerRef(handle: ReturnType<typeof setTimeout> | undefined, isHeld: boolean): void {
  const timer = handle as unknown as { ref?: () => void; unref?: () => void } | undefined;
  if (isHeld) timer?.ref?.();
  else timer?.unref?.();
}

/** Calls back after all queued microtasks, including those that they queue. */
export function afterMicrotasks(callback: () => void): void {
  setTimeout(callback, 0);
}

/** Called each second. `lateMs` is how long the event loop delayed this call. */
export type SecondListener = (lateMs: number, sinceMs: number) => void;

const everyMs = 1_000;
const beats = new Set<SecondListener>();
let alarm: ReturnType<typeof setTimeout> | undefined;

/**
 * Calls back each second until the returned function is called. One timer serves all listeners and keeps no process
 * alive.
 */
export function eachSecond(beat: SecondListener): () => void {
  // A new function per call, so that the same listener can be added twice.
  const own: SecondListener = (late, since) => beat(late, since);
  beats.add(own);
  if (alarm === undefined) arm(now());
  return () => {
    if (!beats.delete(own) || beats.size > 0) return;
    clearTimeout(alarm);
    alarm = undefined;
  };
}

function arm(from: number): void {
  alarm = timer(() => {
    const at = now();
    // Armed first, so that a listener that throws cannot stop the others for good.
    arm(at);
    const sinceMs = at - from;
    for (const beat of [...beats]) beat(Math.max(0, sinceMs - everyMs), sinceMs);
  }, everyMs);
}
