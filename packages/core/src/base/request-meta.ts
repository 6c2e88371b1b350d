import type { RequestId, JsonObject, JsonRpcRequest } from '@rxmcp/jsonrpc';
import { isObject } from './checks.js';
import { RxmcpError } from './errors.js';
import { quoted } from './message-text.js';

/** The `_meta` of a request, or an empty one. Throws INVALID_PARAMS when it is not a JSON object. */
export function metaOf(request: JsonRpcRequest): JsonObject {
  const meta = request.params?._meta;
  if (meta === undefined) return none;
  if (!isObject(meta)) {
    throw new RxmcpError('INVALID_PARAMS', `${quoted(request.method)}: "_meta" must be an object`);
  }
  return meta;
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
export function tokenOf(meta: JsonObject): RequestId | undefined {
  const token = meta.progressToken;
  return typeof token === 'string' || (typeof token === 'number' && Number.isInteger(token))
    ? token
    : undefined;
}

const none: JsonObject = /* @__PURE__ */ Object.freeze({});

/** The same parameters with these members in their `_meta` too. */
export function withMeta(params: JsonObject | undefined, members: JsonObject): JsonObject {
  const meta: unknown = params?._meta;
  // What follows a spread of nothing is added to an empty object: so it gets no hidden class of its own, as in replaceMeta.
  return replaceMeta(params, { ...nothing, ...(isObject(meta) ? meta : nothing), ...members });
}

const nothing = undefined as JsonObject | undefined;

/** The members of `_meta` that a trace travels in, in the formats of the W3C (spec 2026-07-28 basic#_meta). */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

/** The trace in a `_meta`, such as `ctx.meta`; undefined where there is none, or none that is well formed. */
export function readTraceContext(meta: JsonObject): TraceContext | undefined {
  const { traceparent, tracestate, baggage } = meta;
  if (typeof traceparent !== 'string' || !parent.test(traceparent)) return undefined;
  return {
    traceparent,
    ...(typeof tracestate === 'string' && tracestate.length <= 512 ? { tracestate } : {}),
    ...(typeof baggage === 'string' && baggage.length <= 8_192 ? { baggage } : {}),
  };
}

// Ids of zeros are none, and so is the version ff.
const parent = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-[ -~]{0,256})?$/;
