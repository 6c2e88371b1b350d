import type { JsonObject } from '@rxmcp/jsonrpc';
import { replaceMeta } from '../eras/meta.js';
import { isObject } from '../is-object.js';

/** The same parameters with these members in their `_meta` too. */
export function withMeta(params: JsonObject | undefined, members: JsonObject): JsonObject {
  const meta: unknown = params?._meta;
  // What follows a spread of nothing is added to an empty object: so it gets no hidden class of its own, as in replaceMeta.
  return replaceMeta(params, { ...nothing, ...(isObject(meta) ? meta : nothing), ...members });
}

const nothing = undefined as JsonObject | undefined;
