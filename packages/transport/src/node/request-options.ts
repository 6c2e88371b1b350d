import type { RequestOptions } from '../guard/guard.js';

/** What Express passes as the third argument of a handler. */
export type NextFunction = (error?: unknown) => void;

/** Returns the options of one request, without the `next` that frameworks pass in their place. */
export function requestOptions(given: RequestOptions | NextFunction | undefined): RequestOptions | undefined {
  return typeof given === 'function' ? undefined : given;
}
