import { RxmcpError } from './errors.js';

/**
 * Longest URI, and longest name or id of a peer that becomes a key, in characters. V8 hashes strings of more than 16,383 characters by
 * their length alone, so that a Map with many such keys compares them one by one.
 */
export const maxKeyLength = 8_192;

/** Longest key of an ask that a client accepts, in characters. */
export const maxAskKeyLength = 256;

/** Returns the problem of a URI that is too long, or undefined. */
export function uriLengthProblem(uri: string): string | undefined {
  return uri.length <= maxKeyLength
    ? undefined
    : `a URI of ${uri.length} characters is too long; at most ${maxKeyLength} are allowed`;
}

/** Throws INVALID_PARAMS for a URI that is too long. */
export function checkUriLength(method: string, uri: string): void {
  const problem = uriLengthProblem(uri);
  if (problem !== undefined) throw new RxmcpError('INVALID_PARAMS', `${method}: ${problem}`);
}
