const longestMs = 2 ** 31 - 1;

/**
 * The delay of a timer that is to last as long as an option says, in milliseconds. A timer that is set to more than it can hold
 * goes off at once; here that, and `Infinity`, is as long as it can: 24 days.
 *
 * @example
 * const alarm = setTimeout(() => carrier.close(), timerMs(stallMs));
 */
export function timerMs(ms: number): number {
  return Math.min(ms, longestMs);
}
