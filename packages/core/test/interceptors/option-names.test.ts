import { expect, it } from 'vitest';
import { defineClient, defineServer, meter, offerMethod } from '../../src/index.js';
import {
  approve,
  audit,
  cache,
  concurrency,
  rateLimit,
  redact,
  retry,
  timeout,
} from '../../src/interceptors/index.js';

const info = { name: 'x', version: '1' };
const functions: Readonly<Record<string, (options: object) => unknown>> = {
  approve: (options) => approve(options as never),
  audit: (options) => audit(options as never),
  cache: (options) => cache(options),
  concurrency: (options) => concurrency(options as never),
  defineClient: (options) => defineClient({ info, ...options }),
  defineServer: (options) => defineServer({ info, offers: [], ...options }),
  meter: (options) => meter(options),
  offerMethod: (options) => offerMethod('x/y', options as never, () => ({})),
  rateLimit: (options) => rateLimit(options as never),
  redact: (options) => redact(options),
  retry: (options) => retry(options),
  timeout: (options) => timeout(options as never),
};

it.each([
  ['approve', 'ask', 'confirm'],
  ['audit', 'params', 'includeParams'],
  ['cache', 'authorization', 'partitionKey'],
  ['concurrency', 'max', 'maxConcurrentRequests'],
  ['concurrency', 'queue', 'maxQueuedRequests'],
  ['concurrency', 'cost', 'weight'],
  ['defineClient', 'timeoutMs', 'idleTimeoutMs'],
  ['defineClient', 'capabilities', 'offers'],
  ['defineServer', 'tools', 'offers'],
  ['defineServer', 'resources', 'offers'],
  ['defineServer', 'prompts', 'offers'],
  ['defineServer', 'capabilities', 'offers'],
  ['meter', 'slowMs', 'slowCallMs'],
  ['meter', 'unusualFactor', 'unusualRateFactor'],
  ['meter', 'unusualLeast', 'unusualRateMinDifference'],
  ['offerMethod', 'input', 'params'],
  ['offerMethod', 'schema', 'params'],
  ['rateLimit', 'max', 'limit'],
  ['rateLimit', 'requests', 'limit'],
  ['rateLimit', 'perMinute', 'windowMs'],
  ['rateLimit', 'intervalMs', 'windowMs'],
  ['rateLimit', 'cost', 'weight'],
  ['redact', 'params', 'redactParams'],
  ['retry', 'attempts', 'maxAttempts'],
  ['retry', 'delayMs', 'initialDelayMs'],
  ['retry', 'replayable', 'isRepeatable'],
  ['timeout', 'eachMs', 'idleTimeoutMs'],
  ['timeout', 'totalMs', 'totalTimeoutMs'],
])('%s: the unknown option "%s" names "%s"', (name, wrong, right) => {
  expect(() => functions[name]?.({ [wrong]: 1 })).toThrow(
    new RegExp(`^${name}\\b.*: unknown option "${wrong}", did you mean "${right}"\\?$`),
  );
});
