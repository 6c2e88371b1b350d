import { expect, it } from 'vitest';
import { meter } from '../../src/index.js';
import { cache, concurrency, rateLimit, retry, timeout } from '../../src/interceptors/index.js';

const least = Number.MIN_VALUE;
const functions = {
  cache: (options: object) => cache(options),
  concurrency: (options: object) => concurrency({ maxConcurrentRequests: 1, ...options }),
  meter: (options: object) => meter(options),
  rateLimit: (options: object) => rateLimit({ limit: 1, ...options }),
  retry: (options: object) => retry(options),
  timeout: (options: object) => timeout(options as never),
};

it.each<[keyof typeof functions, string, number]>([
  ['cache', 'maxEntries', 0],
  ['cache', 'maxBytes', 0],
  ['cache', 'staleIfErrorMs', 0],
  ['concurrency', 'maxConcurrentRequests', 1],
  ['concurrency', 'maxQueuedRequests', 0],
  ['meter', 'slowCallMs', 0],
  ['meter', 'unusualRateFactor', 1],
  ['meter', 'unusualRateMinDifference', 0],
  ['rateLimit', 'limit', least],
  ['rateLimit', 'windowMs', least],
  ['rateLimit', 'burst', 1],
  ['rateLimit', 'maxKeys', 1],
  ['retry', 'maxAttempts', 1],
  ['retry', 'initialDelayMs', 0],
  ['retry', 'maxDelayMs', 0],
  ['timeout', 'idleTimeoutMs', 0],
  ['timeout', 'totalTimeoutMs', 0],
])('%s: the least %s is %d', (name, option, minimum) => {
  const make = functions[name];
  expect(() => make({ [option]: minimum })).not.toThrow();
  for (const wrong of [minimum - 0.5, Number.NaN, 'many'])
    expect(() => make({ [option]: wrong })).toThrow(
      new TypeError(`${option} must be a number of at least ${String(minimum)}, not ${String(wrong)}`),
    );
});
