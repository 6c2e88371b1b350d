import type { JsonObject } from '@rxmcp/jsonrpc';

/** Parameters without what a rig dressed them in. */
export function bare(params: JsonObject): JsonObject {
  if (!('_meta' in params)) return params;
  const { _meta: _, ...rest } = params;
  return rest;
}
