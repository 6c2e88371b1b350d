import type { JsonObject } from '@rxmcp/jsonrpc';

/** Whether a value is a JSON object: neither `null` nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a promise of any realm or library. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as Partial<PromiseLike<unknown>> | null | undefined)?.then === 'function';
}

/** Checks an option. Throws a TypeError naming what is no number of at least `least`; Infinity is one. */
export function checkMinimum(least: number, name: string, value: number): number {
  if (typeof value === 'number' && value >= least) return value;
  throw new TypeError(`${name} must be a number of at least ${least}, not ${String(value)}`);
}
