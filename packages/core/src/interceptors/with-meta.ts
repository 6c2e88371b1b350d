import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../is-object.js';

/** The same parameters with these members in their `_meta` too. */
export function withMeta(params: JsonObject | undefined, members: JsonObject): JsonObject {
  const meta: unknown = params?._meta;
  return { ...params, _meta: { ...(isObject(meta) ? meta : {}), ...members } };
}
