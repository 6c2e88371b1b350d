import { onAbort } from '@rxmcp/transport/internal';

/** The patience of a client: times in milliseconds, and numbers of tries. */
export interface Timing {
  /** How long the server may take to accept a notification or a response. */
  readonly postTimeoutMs: number;
  /** How long the rest of a response is read whose status said all that counts. */
  readonly remainderTimeoutMs: number;
  /** How long deleting a session may take, and responses that are on their way when the server has ended it. */
  readonly closeTimeoutMs: number;
  /** How long a stream may stay open after the response that should have ended it. */
  readonly afterResponseTimeoutMs: number;
  /** The first pause before a stream is opened again; each further one is longer by `retryDelayFactor`, up to `maxRetryDelayMs`. */
  readonly firstRetryDelayMs: number;
  readonly retryDelayFactor: number;
  readonly maxRetryDelayMs: number;
  /** A stream that lived that long was a good one. */
  readonly stableMs: number;
  /** A stream is opened at most `perWindow` times in `windowMs`, whatever the server says. */
  readonly windowMs: number;
  readonly perWindow: number;
  /** How often in a row resuming the cut stream of a request may fail, before the request fails. */
  readonly maxCallFailures: number;
  /** How often in a row opening the standing stream may fail, before a fault or, without any response, the end is reported. */
  readonly maxStandingFailures: number;
  /** The interval of keep-alives that is assumed where a server sends them faster. */
  readonly minKeepAliveMs: number;
  /** How often silence is looked for. */
  readonly watchIntervalMs: number;
}

export const timing: Timing = Object.freeze({
  postTimeoutMs: 30_000,
  remainderTimeoutMs: 2_000,
  closeTimeoutMs: 2_000,
  afterResponseTimeoutMs: 1_000,
  firstRetryDelayMs: 1_000,
  retryDelayFactor: 1.5,
  maxRetryDelayMs: 30_000,
  stableMs: 30_000,
  windowMs: 2_000,
  perWindow: 5,
  maxCallFailures: 5,
  maxStandingFailures: 10,
  minKeepAliveMs: 15_000,
  watchIntervalMs: 5_000,
});

/** Waits; a signal ends the waiting early. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const over = (): void => {
      clearTimeout(alarm);
      forget();
      resolve();
    };
    const alarm = setTimeout(over, ms);
    const forget = onAbort(signal, over);
  });
}
