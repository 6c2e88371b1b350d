import { timerMs } from '@rxmcp/transport';

export { unheldTimer as timer } from '@rxmcp/transport';

/** Milliseconds on a clock that never jumps. */
export function now(): number {
  return performance.now();
}

/** A timer that somebody waits for, so that the process does not end before it. */
export function heldTimer(callback: () => void, ms: number): ReturnType<typeof setTimeout> {
  return setTimeout(callback, timerMs(ms));
}

/** Says whether the process stays alive for a timer; outside Node nothing has to be said. */
export function keepsAlive(handle: ReturnType<typeof setTimeout> | undefined, isHeld: boolean): void {
  const timer = handle as unknown as { ref?: () => void; unref?: () => void } | undefined;
  if (isHeld) timer?.ref?.();
  else timer?.unref?.();
}

/** Runs once the microtasks that are due have run, and all that they queue. */
export function afterMicrotasks(callback: () => void): void {
  setTimeout(callback, 0);
}
