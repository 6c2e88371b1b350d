import type { JsonObject } from '@rxmcp/jsonrpc';

/** An empty object, in place of one that is absent. */
export const noMembers: JsonObject = /* @__PURE__ */ Object.freeze({});

/** Does nothing. */
export const noop = (): void => undefined;

/** Whether a value is a JSON object, which neither `null` nor an array is. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a promise of any realm or library. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as Partial<PromiseLike<unknown>> | null | undefined)?.then === 'function';
}

/** Checks a numeric option. Throws a TypeError for anything but a number of at least `least`. Infinity is allowed. */
export function checkMinimum(least: number, name: string, value: number): number {
  if (typeof value === 'number' && value >= least) return value;
  throw new TypeError(`${name} must be a number of at least ${least}, not ${String(value)}`);
}
