import type { LatencyStats, MethodStats } from '../contract/stats.js';

const maxCodes = 32;

/** Counts the calls of one method. */
export class MethodCounter {
  calls = 0;
  inFlight = 0;
  cancelled = 0;
  paramsBytes = 0;
  resultBytes = 0;
  readonly latency = new Latency();
  readonly #errors = new Map<string, number>();

  constructor(private readonly method: string) {}

  /** Counts an error. Handlers choose the code, so that there may be any number of them. */
  failed(code: string | number): void {
    const known = String(code);
    const key = this.#errors.has(known) || this.#errors.size < maxCodes ? known : 'other';
    this.#errors.set(key, (this.#errors.get(key) ?? 0) + 1);
  }

  stats(): MethodStats {
    const { method, calls, inFlight, cancelled, latency, paramsBytes, resultBytes } = this;
    const errors = this.#errors;
    return {
      method,
      calls,
      inFlight,
      cancelled,
      errors: Object.fromEntries(errors),
      latency: latency.stats(),
      paramsBytes,
      resultBytes,
    };
  }
}

// Each bucket is 20 % wider than the one before: 96 buckets from 0.05 ms to about 18 min.
const first = 0.05;
const step = Math.log(1.2);
const classes = 96;

/** The latency of calls in buckets, so that memory does not grow with their number. */
export class Latency {
  readonly #counts = new Uint32Array(classes);
  #count = 0;
  #sumMs = 0;
  #maxMs = 0;

  add(ms: number): void {
    this.#count += 1;
    this.#sumMs += ms;
    if (ms > this.#maxMs) this.#maxMs = ms;
    const at = ms <= first ? 0 : Math.min(classes - 1, Math.ceil(Math.log(ms / first) / step));
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
  }

  stats(): LatencyStats {
    const count = this.#count;
    const sumMs = this.#sumMs;
    const maxMs = this.#maxMs;
    return {
      count,
      sumMs,
      maxMs,
      p50Ms: this.#below(0.5),
      p95Ms: this.#below(0.95),
      p99Ms: this.#below(0.99),
    };
  }

  #below(part: number): number {
    let left = Math.ceil(this.#count * part);
    for (let at = 0; left > 0; at += 1) {
      left -= this.#counts[at] ?? 0;
      // The longest call bounds the upper end of its bucket.
      if (left <= 0) return Math.min(this.#maxMs, first * Math.exp(at * step));
    }
    return 0;
  }
}
