import { now, timer } from '../peer/clock.js';

/** What happens each second. `lateMs`: how long this beat had to wait for the event loop. */
export type Beat = (lateMs: number, sinceMs: number) => void;

const everyMs = 1_000;
const beats = new Set<Beat>();
let alarm: ReturnType<typeof setTimeout> | undefined;

/** Calls back each second until the returned function is called: one timer for all, which keeps no process alive. */
export function eachSecond(beat: Beat): () => void {
  // Of its own, so that the same function can be given twice.
  const own: Beat = (late, since) => beat(late, since);
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
