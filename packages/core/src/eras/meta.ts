import type { Id, JsonObject, Request } from '@rxmcp/jsonrpc';
import { McpError } from '../errors.js';

/** The `_meta` of a request, or an empty one. Throws PARAMS_INVALID when it is no object. */
export function metaOf(request: Request): JsonObject {
  const meta = request.params?._meta;
  if (meta === undefined) return none;
  if (typeof meta !== 'object' || meta === null || Array.isArray(meta)) {
    throw new McpError('PARAMS_INVALID', `"${request.method}": "_meta" must be an object`);
  }
  return meta as JsonObject;
}

/** The progress token of a request. Anything but a string or an integer is none. */
export function tokenOf(meta: JsonObject): Id | undefined {
  const token = meta.progressToken;
  return typeof token === 'string' || (typeof token === 'number' && Number.isInteger(token))
    ? token
    : undefined;
}

const none: JsonObject = Object.freeze({});
