import type { Id } from './messages.js';

/** Longest string id, in UTF-16 units: ids are kept for as long as a request runs. */
export const maxIdLength = 256;

/** Tells whether a value may serve as a request id: a string of at most 256 characters or a safe integer. */
export function isId(value: unknown): value is Id {
  return typeof value === 'string' ? value.length <= maxIdLength : Number.isSafeInteger(value);
}
