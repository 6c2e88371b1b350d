import type { JsonObject } from '@rxmcp/jsonrpc';
import { PreparedResult } from '../contract/offer.js';

// Interceptors see plain objects. A result that they return unchanged is sent as its encoded text.
const texts = new WeakMap<JsonObject, PreparedResult>();

/** Returns a result as interceptors see it. */
export function plainResult(value: JsonObject | PreparedResult): JsonObject {
  if (!(value instanceof PreparedResult)) return value;
  texts.set(value.value, value);
  return value.value;
}

/** Returns the prepared form of a result, if there is one. */
export function withText(result: JsonObject): JsonObject | PreparedResult {
  return texts.get(result) ?? result;
}

/** Caches the encoded text of a result, which is then used as long as this object is. */
export function keepText(result: JsonObject): JsonObject {
  if (!texts.has(result)) texts.set(result, new PreparedResult(result));
  return result;
}

/** Whether a result has a cached text. */
export function hasText(result: JsonObject): boolean {
  return texts.has(result);
}
