import { clampTimeout, setUnrefTimeout as timer } from '@rxmcp/transport/internal';

export { timer };

/** Milliseconds on a clock that never jumps. */
export function now(): number {
  return performance.now();
}

/** A timer that somebody waits for, so that the process does not end before it. */
export function refTimer(callback: () => void, ms: number): ReturnType<typeof setTimeout> {
  return setTimeout(callback, clampTimeout(ms));
}

/** Says whether the process stays alive for a timer; outside Node nothing has to be said. */
export function setTimerRef(handle: ReturnType<typeof setTimeout> | undefined, isHeld: boolean): void {
  const timer = handle as unknown as { ref?: () => void; unref?: () => void } | undefined;
  if (isHeld) timer?.ref?.();
  else timer?.unref?.();
}

/** Runs once the microtasks that are due have run, and all that they queue. */
export function afterMicrotasks(callback: () => void): void {
  setTimeout(callback, 0);
}

/** What happens each second. `lateMs`: how long this beat had to wait for the event loop. */
export type SecondListener = (lateMs: number, sinceMs: number) => void;

const everyMs = 1_000;
const beats = new Set<SecondListener>();
let alarm: ReturnType<typeof setTimeout> | undefined;

/** Calls back each second until the returned function is called: one timer for all, which keeps no process alive. */
export function eachSecond(beat: SecondListener): () => void {
  // Of its own, so that the same function can be given twice.
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
    // Armed first: what a beat throws must not stop the others for good.
    arm(at);
    const sinceMs = at - from;
    for (const beat of [...beats]) beat(Math.max(0, sinceMs - everyMs), sinceMs);
  }, everyMs);
}
