import { rejectUnknownOptions } from '@rxmcp/transport/internal';
import { throwError } from 'rxjs';
import { checkMinimum } from '../base/checks.js';
import { now } from '../base/clock.js';
import { quoted } from '../base/message-text.js';
import type { Interceptor } from '../contract/interceptor.js';
import type { LimitKey, RequestWeight } from './limit-key.js';
import { limitKeySelector, overloadError, weigh } from './limit-key.js';

/** Configures {@link rateLimit}. */
export interface RateLimitOptions {
  /** The number of requests per window, or the sum of their weights. After a burst they are spread evenly. */
  readonly limit: number;
  /** The window, in milliseconds. @default 1_000 */
  readonly windowMs?: number;
  /** The number of requests that may begin at once after a pause, or the sum of their weights. @default limit */
  readonly burst?: number;
  /**
   * How much of the limit a request uses, such as {@link paramsBytes} or an estimated cost. A request that weighs more
   * than `burst` begins after a full pause. @default 1
   */
  readonly weight?: RequestWeight;
  /** Which requests share the limit. @default 'principal' */
  readonly per?: LimitKey;
  /** The number of keys that are tracked. Beyond it the key that was idle longest is removed. @default 10_000 */
  readonly maxKeys?: number;
}

const knownOptions: Record<keyof RateLimitOptions, true> = {
  limit: true,
  windowMs: true,
  burst: true,
  weight: true,
  per: true,
  maxKeys: true,
};

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * Limits how many requests begin per window, or how much they weigh together. A server rejects with -31001 and a client with TOO_MANY_CALLS; both
 * are retryable and say when. Requests without interceptors are not counted: `server/discover`, subscriptions,
 * watches.
 * @throws TypeError for limits that are not numbers
 */
export function rateLimit(options: RateLimitOptions): Interceptor {
  rejectUnknownOptions('rateLimit', options, knownOptions, {
    max: 'limit',
    requests: 'limit',
    perMinute: 'windowMs',
    intervalMs: 'windowMs',
    cost: 'weight',
  });
  const limit = checkMinimum(Number.MIN_VALUE, 'limit', options.limit);
  const windowMs = checkMinimum(Number.MIN_VALUE, 'windowMs', options.windowMs ?? 1_000);
  const burst = checkMinimum(1, 'burst', options.burst ?? Math.max(1, limit));
  const maxKeys = checkMinimum(1, 'maxKeys', options.maxKeys ?? 10_000);
  const keyOf = limitKeySelector(options.per ?? 'principal');
  const perMs = limit / windowMs;
  const buckets = new Map<string, Bucket>();

  const waitMs = (key: string, weight: number): number => {
    const at = now();
    const known = buckets.get(key);
    const bucket = known ?? { tokens: burst, at };
    bucket.tokens = Math.min(burst, bucket.tokens + (at - bucket.at) * perMs);
    bucket.at = at;
    // Inserted again, so that the first key is the one that was idle longest.
    if (known !== undefined) buckets.delete(key);
    else if (buckets.size >= maxKeys) buckets.delete(buckets.keys().next().value as string);
    buckets.set(key, bucket);
    const needed = Math.min(weight, burst);
    // Sums of fractions may be slightly less than a whole number.
    if (bucket.tokens >= needed - 1e-9) {
      bucket.tokens -= weight;
      return 0;
    }
    return Math.max(1, Math.ceil((needed - bucket.tokens) / perMs));
  };

  return (exchange, next) => {
    const wait = waitMs(keyOf(exchange), weigh(options.weight, exchange));
    if (wait === 0) return next();
    const message = `${quoted(exchange.method)} rejected: more than ${limit} in ${windowMs} ms`;
    return throwError(() => overloadError(exchange, message, wait));
  };
}
