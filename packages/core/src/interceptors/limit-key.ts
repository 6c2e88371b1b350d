import { OVERLOADED } from '@rxmcp/jsonrpc';
import { maxKeyLength } from '../base/key-length.js';
import { checkMinimum } from '../base/checks.js';
import { RxmcpError, RpcError } from '../base/errors.js';
import { estimateBytes } from '../base/json-size.js';
import type { InterceptedRequest } from '../contract/interceptor.js';

/**
 * Selects which requests share one limit of {@link concurrency} or {@link rateLimit}: `'all'` requests, those of one
 * `'principal'` (all anonymous callers count as one), those of one `'method'`, or those for which the function returns
 * the same key.
 */
export type LimitKey = 'principal' | 'method' | 'all' | ((request: InterceptedRequest) => string);

/** Returns the function that computes the key of a request. Anonymous callers share one key. */
export function limitKeySelector(per: LimitKey): (request: InterceptedRequest) => string {
  // A key may come from the parameters of a request. Long keys that begin alike share a limit.
  if (typeof per === 'function') {
    return (request) => {
      const key = per(request);
      return key.length > maxKeyLength ? key.slice(0, maxKeyLength) : key;
    };
  }
  if (per === 'method') return ({ method }) => method;
  if (per === 'all') return () => '';
  return ({ caller: { principal } }) => (principal === undefined ? '' : `p${principal}`);
}

/** Returns how much of a limit of {@link concurrency} or {@link rateLimit} a request uses: 0 or more. */
export type RequestWeight = (request: InterceptedRequest) => number;

/**
 * Weighs a request by the size of its parameters: returns their estimated bytes in memory. Pass it as `weight` to {@link concurrency}
 * or {@link rateLimit}.
 */
export function paramsBytes({ params }: Pick<InterceptedRequest, 'params'>): number {
  return estimateBytes(params, Infinity);
}

/** Returns the weight of a request. Throws a TypeError for anything but a number of at least 0. */
export function weigh(weight: RequestWeight | undefined, request: InterceptedRequest): number {
  return weight === undefined ? 1 : checkMinimum(0, 'weight', weight(request));
}

/** Creates the error for a request over a limit: -31001 on a server, TOO_MANY_CALLS on a client. Both say when to retry. */
export function overloadError({ side }: InterceptedRequest, message: string, retryAfterMs: number): Error {
  const data = { retryable: true, retryAfterMs };
  return side === 'server'
    ? new RpcError(OVERLOADED, message, data)
    : new RxmcpError('TOO_MANY_CALLS', message, { retryable: true, data });
}
