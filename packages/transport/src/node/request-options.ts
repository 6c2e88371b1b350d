import type { IncomingRequestOptions } from '../guard/guard.js';

/** Returns the options of one request, without the `next` that frameworks pass in their place. */
export function requestOptions(
  given: IncomingRequestOptions | ((error?: unknown) => void) | undefined,
): IncomingRequestOptions | undefined {
  return typeof given === 'function' ? undefined : given;
}
