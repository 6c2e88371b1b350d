import type { JsonObject } from '@rxmcp/jsonrpc';

/** The part of `needs` that `has` lacks, or undefined. */
export function missingOf(needs: JsonObject, has: JsonObject): JsonObject | undefined {
  let missing: JsonObject | undefined;
  for (const [name, need] of Object.entries(needs)) {
    const got = Object.hasOwn(has, name) ? has[name] : undefined;
    if (typeof got !== 'object' || got === null) {
      (missing ??= {})[name] = need;
    } else {
      const inner = missingOf(need as JsonObject, got as JsonObject);
      if (inner !== undefined) (missing ??= {})[name] = inner;
    }
  }
  return missing;
}
