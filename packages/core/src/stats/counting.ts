import type { OutgoingMessage } from '@rxmcp/transport';
import type { MeterStats, Health, Measured } from '../contract/stats.js';

/** Where methods that nobody offers are counted: their names are their callers', and may be any number. */
export const unknownMethod = '(unknown)';

/** What there is to tell where nobody counts. */
export const emptyMeterStats: MeterStats = Object.freeze({
  enabled: false,
  methods: Object.freeze([]),
  dropped: Object.freeze({ requests: 0, progress: 0, logs: 0, notifications: 0 }),
  longestRunningMs: 0,
  eventLoopDelayMs: 0,
  activeTimers: undefined,
});

/** Whoever calls waits at least as long. */
const maxLagMs = 1_000;

/** Why a process with such an event loop is not healthy; undefined = it is. */
export function eventLoopHealth(lagMs: number): Health | undefined {
  if (lagMs < maxLagMs) return undefined;
  return { healthy: false, reason: `the event loop was held up for ${Math.round(lagMs)} ms` };
}

/** Counts an answer as it leaves; a list that was prepared is text already. */
export function countAnswer(measured: Measured, out: OutgoingMessage): void {
  if ('text' in out) measured.answered(out.text);
  else if ('error' in out) measured.failed(out.error.code);
  else if ('result' in out) measured.answered(out.result);
}
