import type { JsonObject } from '@rxmcp/jsonrpc';
import { Prepared } from '../contract/offer.js';

// Interceptors see plain results. One that comes back as it was goes out with the text that was made for it.
const texts = new WeakMap<JsonObject, Prepared>();

/** The result as interceptors see it. */
export function plainResult(value: JsonObject | Prepared): JsonObject {
  if (!(value instanceof Prepared)) return value;
  texts.set(value.value, value);
  return value.value;
}

/** The result with the text that was made for it, if there is one. */
export function withText(result: JsonObject): JsonObject | Prepared {
  return texts.get(result) ?? result;
}

/** Has the text of a result made once per revision, as long as this very object is used again. */
export function keepText(result: JsonObject): JsonObject {
  if (!texts.has(result)) texts.set(result, new Prepared(result));
  return result;
}

/** Whether a result is used again and has its text made once. */
export function hasText(result: JsonObject): boolean {
  return texts.has(result);
}
