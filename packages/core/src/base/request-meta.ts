import type { RequestId, JsonObject, JsonRpcRequest } from '@rxmcp/jsonrpc';
import { isObject, noMembers } from './checks.js';
import { RxmcpError } from './errors.js';
import { quoted } from './message-text.js';

/** Returns the `_meta` of a request, or an empty object. Throws INVALID_PARAMS if it is not a JSON object. */
export function metaOf(request: JsonRpcRequest): JsonObject {
  const meta = request.params?._meta;
  if (meta === undefined) return noMembers;
  if (!isObject(meta)) {
    throw new RxmcpError('INVALID_PARAMS', `${quoted(request.method)}: "_meta" must be an object`);
  }
  return meta;
}

// The literals below write one member twice on purpose: first for the hidden class, last for its value. If a
// literal begins with a spread and has more members, Node 20 gives each such object a hidden class of its own while
// it has seen few shapes there. Such an object costs ten times as much memory and is slow to read.

/** Returns a copy of the parameters with this `_meta`. */
export function replaceMeta(params: JsonObject | undefined, meta: JsonObject): JsonObject {
  const copy: JsonObject = { _meta: meta, ...params };
  copy._meta = meta;
  return copy;
}

/** Merges two `_meta` objects and a progress token. `more` overrides `own`; `token` overrides both. */
export function metaWithToken(token: number, own: JsonObject | undefined, more?: JsonObject): JsonObject {
  const meta: JsonObject = { progressToken: token, ...own, ...more };
  meta.progressToken = token;
  return meta;
}

/** The longest progress token, in characters: it is repeated with each progress. */
const maxTokenLength = 256;

/** Returns the progress token of a request. Undefined for anything but an integer or a string that is not too long. */
export function tokenOf(meta: JsonObject): RequestId | undefined {
  const token = meta.progressToken;
  const isToken = typeof token === 'string' ? token.length <= maxTokenLength : Number.isInteger(token);
  return isToken ? (token as RequestId) : undefined;
}

/** Returns a copy of the parameters with these members added to their `_meta`. */
export function withMeta(params: JsonObject | undefined, members: JsonObject): JsonObject {
  const meta: unknown = params?._meta;
  // Spreading `nothing` first keeps the shared hidden class of an empty object, for the reason given at
  // replaceMeta.
  return replaceMeta(params, { ...nothing, ...(isObject(meta) ? meta : nothing), ...members });
}

const nothing = undefined as JsonObject | undefined;

/**
 * The members of `_meta` that carry a trace, in the formats of W3C Trace Context and Baggage.
 * @see Spec 2026-07-28 basic#_meta
 */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

/** Reads the trace from a `_meta`, such as `ctx.meta`. Returns undefined if there is no valid `traceparent`. */
export function readTraceContext(meta: JsonObject): TraceContext | undefined {
  const { traceparent, tracestate, baggage } = meta;
  if (typeof traceparent !== 'string' || !parent.test(traceparent)) return undefined;
  return {
    traceparent,
    ...(typeof tracestate === 'string' && tracestate.length <= 512 ? { tracestate } : {}),
    ...(typeof baggage === 'string' && baggage.length <= 8_192 ? { baggage } : {}),
  };
}

// Ids of zeros and the version ff are invalid.
const parent = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-[ -~]{0,256})?$/;
