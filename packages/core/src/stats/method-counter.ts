import type { MethodStats } from './stats.js';
import { Latency } from './latency.js';

const maxCodes = 32;

/** Counts the calls of one method. */
export class MethodCounter {
  calls = 0;
  inFlight = 0;
  cancelled = 0;
  paramsBytes = 0;
  resultBytes = 0;
  readonly latency = new Latency();
  private readonly errors = new Map<string, number>();

  constructor(private readonly method: string) {}

  /** One more error; handlers choose its code, so that there may be any number of them. */
  failed(code: string | number): void {
    const known = String(code);
    const key = this.errors.has(known) || this.errors.size < maxCodes ? known : 'other';
    this.errors.set(key, (this.errors.get(key) ?? 0) + 1);
  }

  stats(): MethodStats {
    const { method, calls, inFlight, cancelled, errors, latency, paramsBytes, resultBytes } = this;
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
