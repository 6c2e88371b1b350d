import type { JsonObject } from '@rxmcp/jsonrpc';
import { PreparedResult } from '../contract/offer.js';

// Interceptors see plain results. One that comes back as it was goes out with the text that was made for it.
const texts = new WeakMap<JsonObject, PreparedResult>();

/** The result as interceptors see it. */
export function plainResult(value: JsonObject | PreparedResult): JsonObject {
  if (!(value instanceof PreparedResult)) return value;
  texts.set(value.value, value);
  return value.value;
}

/** The result with the text that was made for it, if there is one. */
export function withText(result: JsonObject): JsonObject | PreparedResult {
  return texts.get(result) ?? result;
}

/** Has the text of a result made once per revision, as long as this very object is used again. */
export function keepText(result: JsonObject): JsonObject {
  if (!texts.has(result)) texts.set(result, new PreparedResult(result));
  return result;
}

/** Whether a result is used again and has its text made once. */
export function hasText(result: JsonObject): boolean {
  return texts.has(result);
}
