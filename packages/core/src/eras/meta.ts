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

// The literals below begin with a member, which is written twice on purpose: first for the hidden class, last for its value. Where
// a literal begins with the spread of an object and has more members, Node 20 makes each such object a class of its own, as long
// as it sees few shapes there: that costs ten times the object, and slows down whoever reads it.

/** The same parameters with this `_meta` in the place of their own. */
export function replaceMeta(params: JsonObject | undefined, meta: JsonObject): JsonObject {
  const copy: JsonObject = { _meta: meta, ...params };
  copy._meta = meta;
  return copy;
}

/** One `_meta` of two, where `more` overrides `own`, with this progress token, which overrides both. */
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

const none: JsonObject = /* @__PURE__ */ Object.freeze({});
