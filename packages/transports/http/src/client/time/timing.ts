/** The patience of a client: times in milliseconds, and numbers of tries. */
export interface Timing {
  /** How long the server may take to accept a notification or an answer. */
  readonly postMs: number;
  /** How long the rest of an answer is read whose status said all that counts. */
  readonly leftMs: number;
  /** How long the goodbye to a session may take. */
  readonly closeMs: number;
  /** How long a stream may stay open after the answer that should have ended it. */
  readonly afterAnswerMs: number;
  /** The first pause before a stream is opened again; each further one is longer by `growth`, up to `longestPauseMs`. */
  readonly firstPauseMs: number;
  readonly growth: number;
  readonly longestPauseMs: number;
  /** A stream that lived that long was a good one. */
  readonly stableMs: number;
  /** A stream is opened at most `perWindow` times in `windowMs`, whatever the server says. */
  readonly windowMs: number;
  readonly perWindow: number;
  /** How often in a row taking up the cut stream of a request may fail, before the request does. */
  readonly maxCallFailures: number;
  /** How often in a row opening the standing stream may fail, before that is told or, without any answer, the end. */
  readonly maxStandingFailures: number;
  /** The interval of keep-alives that is assumed where a server sends them faster. */
  readonly keepAliveMs: number;
  /** How often silence is looked for. */
  readonly watchMs: number;
}

export const timing: Timing = Object.freeze({
  postMs: 30_000,
  leftMs: 2_000,
  closeMs: 2_000,
  afterAnswerMs: 1_000,
  firstPauseMs: 1_000,
  growth: 1.5,
  longestPauseMs: 30_000,
  stableMs: 30_000,
  windowMs: 2_000,
  perWindow: 5,
  maxCallFailures: 5,
  maxStandingFailures: 10,
  keepAliveMs: 15_000,
  watchMs: 5_000,
});

/** Waits; a signal ends the waiting early. */
export function paused(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const over = (): void => {
      clearTimeout(alarm);
      signal.removeEventListener('abort', over);
      resolve();
    };
    const alarm = setTimeout(over, ms);
    signal.addEventListener('abort', over);
  });
}
