import type { Id, JsonObject, Request } from '@rxmcp/jsonrpc';
import { META } from '@rxmcp/jsonrpc';
import { McpError } from '../errors.js';
import { isObject } from '../is-object.js';
import { quoted } from '../names.js';

/** The `_meta` of a request, or an empty one. Throws PARAMS_INVALID when it is no object. */
export function metaOf(request: Request): JsonObject {
  const meta = request.params?._meta;
  if (meta === undefined) return none;
  if (!isObject(meta)) {
    throw new McpError('PARAMS_INVALID', `${quoted(request.method)}: "_meta" must be an object`);
  }
  return meta;
}

/** Whether a request has a protocol version with it, be it a good one or not. */
export function namesVersion(request: Request): boolean {
  const meta = request.params?._meta;
  return typeof meta === 'object' && meta !== null && Object.hasOwn(meta, META.protocolVersion);
}

// The literals below begin with a member, not with a spread, although it is set once more: Node 20 makes a hidden class of its
// own for each object that begins with a spread and has more members, which costs ten times the object and slows whoever reads it.

/** The same parameters with this `_meta` in the place of their own. */
export function replaceMeta(params: JsonObject | undefined, meta: JsonObject): JsonObject {
  const copy: JsonObject = { _meta: meta, ...params };
  copy._meta = meta;
  return copy;
}

/** A `_meta` with this progress token, whatever else says of it; of other members the last counts. */
export function metaWithToken(token: number, own: JsonObject | undefined, more?: JsonObject): JsonObject {
  const meta: JsonObject = { progressToken: token, ...own, ...more };
  meta.progressToken = token;
  return meta;
}

/** The progress token of a request. Anything but a string or an integer is none. */
export function tokenOf(meta: JsonObject): Id | undefined {
  const token = meta.progressToken;
  return typeof token === 'string' || (typeof token === 'number' && Number.isInteger(token))
    ? token
    : undefined;
}

const none: JsonObject = Object.freeze({});
