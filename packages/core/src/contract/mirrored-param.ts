import type { JsonObject } from '@rxmcp/jsonrpc';

/** A parameter that also travels beside the body, where the carrier has a place for it. */
export interface MirroredParam {
  /** What it is called there, in lower case. */
  readonly header: string;
  /** Where its value stands in the parameters of the request. */
  readonly path: readonly string[];
}

/** The value at a path of own members; undefined where there is none. */
export function valueAt(params: JsonObject, path: readonly string[]): unknown {
  let value: unknown = params;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as JsonObject)[key];
  }
  return value;
}

/** How a value travels beside the body; undefined for what does not: null, objects, and numbers that are no safe integers. */
export function mirroredText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value);
  return undefined;
}
