import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Interceptor } from './interceptor.js';
import { withMeta } from './with-meta.js';
import type { ContextStorage } from './within.js';
import { within } from './within.js';

/** The members of `_meta` that a trace travels in, in the formats of the W3C (spec 2026-07-28 basic#_meta). */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

/** Options of {@link trace}. */
export interface TraceOptions {
  /** Where the trace of the work at hand is found, such as `new AsyncLocalStorage()`; server and client share it. */
  readonly storage: ContextStorage<TraceContext | undefined>;
}

/**
 * Hands a trace on. At a server the work on a request runs within the trace that came with it; at a client a call takes
 * along the trace that it is made within, unless it has one of its own. What leaves by other ways, such as a question to the
 * client, takes what {@link traceOf} gives.
 */
export function trace({ storage }: TraceOptions): Interceptor {
  const serving = within(storage, ({ meta }) => traceOf(meta));
  const keeping = within(storage);
  return (exchange, next) => {
    if (exchange.side === 'server') return serving(exchange, next);
    const current = storage.getStore();
    if (current === undefined || 'traceparent' in exchange.meta) return keeping(exchange, next);
    const params = withMeta(exchange.params, { ...current });
    return keeping(exchange, () => next(params));
  };
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
