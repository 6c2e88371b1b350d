import type { Health } from './stats.js';

/** Whoever calls waits at least as long. */
const maxLagMs = 1_000;

/** Why a process with such an event loop is not healthy; undefined = it is. */
export function lateLoop(lagMs: number): Health | undefined {
  if (lagMs < maxLagMs) return undefined;
  return { healthy: false, reason: `the event loop was held up for ${Math.round(lagMs)} ms` };
}
