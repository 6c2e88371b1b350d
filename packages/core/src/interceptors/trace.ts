import type { TraceContext } from '../trace-context.js';
import { traceOf } from '../trace-context.js';
import type { Interceptor } from './interceptor.js';
import { withMeta } from './with-meta.js';
import type { ContextStorage } from './within.js';
import { within } from './within.js';

/** Options of {@link trace}. */
export interface TraceOptions {
  /** Where the trace of the work at hand is found, such as `new AsyncLocalStorage()`; server and client share it. */
  readonly storage: ContextStorage<TraceContext | undefined>;
}

/**
 * Hands a trace on. At a server the work on a request runs within the trace that came with it; at a client a call takes
 * along the trace that it is made within, unless it has one of its own. Among the `asks` of a client it is as at a server:
 * the work on a question runs within the trace of the request that asked it. What leaves by other ways takes what
 * {@link traceOf} gives.
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
