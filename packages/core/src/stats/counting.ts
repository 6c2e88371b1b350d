import type { OutgoingMessage } from '@rxmcp/transport';
import type { MeterStats, Health, Measured } from '../contract/stats.js';

/**
 * Counts the calls of methods without an offer together. Callers choose such names, so that there may be any number
 * of them.
 */
export const unknownMethod = '(unknown)';

/** The statistics without a meter. */
export const emptyMeterStats: MeterStats = Object.freeze({
  enabled: false,
  methods: Object.freeze([]),
  dropped: Object.freeze({ requests: 0, progress: 0, logs: 0, notifications: 0 }),
  longestRunningMs: 0,
  eventLoopDelayMs: 0,
  activeTimers: undefined,
});

/** An event loop with a longer delay is unhealthy: every caller waits at least as long. */
const maxLagMs = 1_000;

/** Returns why a process with this event loop delay is unhealthy; undefined if it is healthy. */
export function eventLoopHealth(lagMs: number): Health | undefined {
  if (lagMs < maxLagMs) return undefined;
  return { healthy: false, reason: `the event loop was held up for ${Math.round(lagMs)} ms` };
}

/** Counts a response that is sent. A prepared list is already encoded. */
export function countResponse(measured: Measured, out: OutgoingMessage): void {
  if ('text' in out) measured.succeeded(out.text);
  else if ('error' in out) measured.failed(out.error.code);
  else if ('result' in out) measured.succeeded(out.result);
}
