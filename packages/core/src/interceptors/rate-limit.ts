import { throwError } from 'rxjs';
import { checkMinimum } from '../base/checks.js';
import { now } from '../base/clock.js';
import { quoted } from '../base/message-text.js';
import type { Interceptor } from '../contract/interceptor.js';
import type { LimitKey } from './limit-key.js';
import { limitKeySelector, overloadError } from './limit-key.js';

/** Options of {@link rateLimit}. */
export interface RateLimitOptions {
  /** How many begin within each window, spread evenly once the burst is spent. */
  readonly limit: number;
  /** The window, in milliseconds. @default 1_000 */
  readonly windowMs?: number;
  /** How many may begin at once after a rest. @default limit */
  readonly burst?: number;
  /** What is counted together. @default 'principal' */
  readonly per?: LimitKey;
  /** How many keys are remembered; beyond it the one that rested longest starts afresh. @default 10_000 */
  readonly maxKeys?: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * Refuses what comes too fast: a server with -31001, a client with TOO_MANY_CALLS, both retryable and with the time after
 * which there is room again. What no interceptor of a server sees is not counted: `server/discover`, subscriptions, watches. Throws a TypeError for what is no number.
 */
export function rateLimit(options: RateLimitOptions): Interceptor {
  const limit = checkMinimum(Number.MIN_VALUE, 'limit', options.limit);
  const windowMs = checkMinimum(Number.MIN_VALUE, 'windowMs', options.windowMs ?? 1_000);
  const burst = checkMinimum(1, 'burst', options.burst ?? Math.max(1, limit));
  const maxKeys = checkMinimum(1, 'maxKeys', options.maxKeys ?? 10_000);
  const keyOf = limitKeySelector(options.per ?? 'principal');
  const perMs = limit / windowMs;
  const buckets = new Map<string, Bucket>();

  const waitMs = (key: string): number => {
    const at = now();
    const known = buckets.get(key);
    const bucket = known ?? { tokens: burst, at };
    bucket.tokens = Math.min(burst, bucket.tokens + (at - bucket.at) * perMs);
    bucket.at = at;
    // Put last again, so that the first is the one that rested longest.
    if (known !== undefined) buckets.delete(key);
    else if (buckets.size >= maxKeys) buckets.delete(buckets.keys().next().value as string);
    buckets.set(key, bucket);
    // Sums of fractions may miss the whole by a hair.
    if (bucket.tokens > 1 - 1e-9) {
      bucket.tokens -= 1;
      return 0;
    }
    return Math.max(1, Math.ceil((1 - bucket.tokens) / perMs));
  };

  return (exchange, next) => {
    const wait = waitMs(keyOf(exchange));
    if (wait === 0) return next();
    const message = `${quoted(exchange.method)} refused: more than ${limit} in ${windowMs} ms`;
    return throwError(() => overloadError(exchange, message, wait));
  };
}
