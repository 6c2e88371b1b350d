import type { JsonObject } from '@rxmcp/jsonrpc';

/** The members of `_meta` that a trace travels in, in the formats of the W3C (spec 2026-07-28 basic#_meta). */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

/** The trace in a `_meta`, such as `ctx.meta`; undefined where there is none, or none that is well formed. */
export function traceOf(meta: JsonObject): TraceContext | undefined {
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
