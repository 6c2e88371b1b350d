import type { Timing } from './timing.js';

/**
 * How long to wait before a stream is opened again. Failures in a row make the pauses longer, each a random part of its longest;
 * only a stream that brought something new or lived for `stableMs` makes them short again. Whatever a server says, a
 * stream is opened at most `perWindow` times in `windowMs`.
 */
export class ReconnectDelays {
  /** How often in a row opening the stream was of no use. */
  failures = 0;
  readonly #opened: number[] = [];
  #openedAt = 0;

  constructor(private readonly timing: Timing) {}

  /** @param retryMs What the server asked for: at least that long. */
  nextMs(retryMs: number | undefined): number {
    const { firstRetryDelayMs, retryDelayFactor, maxRetryDelayMs, perWindow, windowMs } = this.timing;
    const longest = Math.min(firstRetryDelayMs * retryDelayFactor ** this.failures, maxRetryDelayMs);
    const random = retryMs !== undefined && this.failures === 0 ? 0 : Math.random() * longest;
    const oldest = this.#opened.length < perWindow ? undefined : this.#opened[0];
    const windowed = oldest === undefined ? 0 : oldest + windowMs - performance.now();
    return Math.max(retryMs ?? 0, random, windowed);
  }

  /** The stream is being opened. */
  opens(): void {
    this.#openedAt = performance.now();
    this.#opened.push(this.#openedAt);
    if (this.#opened.length > this.timing.perWindow) this.#opened.shift();
  }

  /** The stream ended, or was not opened at all. */
  ended(broughtNews: boolean, wasOpen: boolean): void {
    const isStable = wasOpen && performance.now() - this.#openedAt >= this.timing.stableMs;
    this.failures = broughtNews || isStable ? 0 : this.failures + 1;
  }
}
