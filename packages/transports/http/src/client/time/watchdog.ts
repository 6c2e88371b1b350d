import { setUnrefTimeout } from '@rxmcp/transport/internal';
import type { Timing } from './timing.js';

/** One stream that is looked after. */
export interface WatchedStream {
  /** Bytes came. */
  alive(): void;
  /** A comment came: by its silence before it the server shows how often it sends keep-alives. */
  comment(): void;
  done(): void;
}

/** Two keep-alives that failed to come, and room for the second one to be late. */
const intervals = 2.5;
/** A comment that soon after other bytes says nothing about an interval. */
const soon = 1 / 20;

/**
 * Cuts streams that a server has left silent for two and a half of the keep-alives which it was seen to send. Servers that show
 * none are never cut, and time in which this process itself stood still does not count.
 */
export class Watchdog {
  readonly #streams = new Set<{ lastAt: number; readonly cut: () => void }>();
  #intervalMs: number | undefined;
  #alarm: ReturnType<typeof setTimeout> | undefined;
  /** When the next look is due. */
  #dueAt = 0;

  constructor(private readonly timing: Timing) {}

  watch(cut: () => void): WatchedStream {
    const stream = { lastAt: performance.now(), cut };
    this.#streams.add(stream);
    this.#arm();
    return {
      alive: () => {
        stream.lastAt = performance.now();
      },
      comment: () => this.#learn(performance.now() - stream.lastAt),
      done: () => {
        this.#streams.delete(stream);
        if (this.#streams.size === 0) this.#rest();
      },
    };
  }

  #learn(silenceMs: number): void {
    const { minKeepAliveMs } = this.timing;
    if (silenceMs < minKeepAliveMs * soon) return;
    this.#intervalMs = Math.max(this.#intervalMs ?? minKeepAliveMs, silenceMs);
    this.#arm();
  }

  #arm(): void {
    if (this.#alarm !== undefined || this.#intervalMs === undefined || this.#streams.size === 0) return;
    this.#next(this.timing.watchIntervalMs);
  }

  #next(ms: number): void {
    this.#dueAt = performance.now() + ms;
    this.#alarm = setUnrefTimeout(() => this.#look(), ms);
  }

  #rest(): void {
    clearTimeout(this.#alarm);
    this.#alarm = undefined;
  }

  #look(): void {
    const at = performance.now();
    const { watchIntervalMs } = this.timing;
    const stood = at - this.#dueAt > watchIntervalMs;
    const intervalMs = this.#intervalMs ?? Infinity;
    const limitMs = intervals * intervalMs;
    let oldestAt = at;
    for (const stream of [...this.#streams]) {
      // What came while this process stood still has not been read yet.
      if (stood) stream.lastAt = at;
      else if (at - stream.lastAt >= limitMs) {
        this.#streams.delete(stream);
        stream.cut();
      } else oldestAt = Math.min(oldestAt, stream.lastAt);
    }
    if (this.#streams.size === 0) return this.#rest();
    // Looks are close where a keep-alive is missing: before a cut this process has run for longer than it takes to the next one.
    this.#next(Math.max(watchIntervalMs, oldestAt + intervalMs + watchIntervalMs - at));
  }
}
