import type { TraceContext } from '../base/request-meta.js';
import { readTraceContext, withMeta } from '../base/request-meta.js';
import type { ResponseEvent, InterceptedRequest, Interceptor } from '../contract/interceptor.js';
import { callStream } from '../streams/call.js';

/** Options of {@link trace}. */
export interface TraceOptions {
  /** Where the trace of the work at hand is found, such as `new AsyncLocalStorage()`; server and client share it. */
  readonly storage: ContextStorage<TraceContext | undefined>;
}

/**
 * Hands a trace on. At a server the work on a request runs within the trace that came with it; at a client a call takes
 * along the trace that it is made within, unless it has one of its own. Among the `asks` of a client it is as at a server:
 * the work on a question runs within the trace of the request that asked it. What leaves by other ways takes what
 * {@link readTraceContext} gives.
 */
export function trace({ storage }: TraceOptions): Interceptor {
  const serving = runInContext(storage, ({ meta }) => readTraceContext(meta));
  const keeping = runInContext(storage);
  return (exchange, next) => {
    if (exchange.side === 'server') return serving(exchange, next);
    const current = storage.getStore();
    if (current === undefined || 'traceparent' in exchange.meta) return keeping(exchange, next);
    const params = withMeta(exchange.params, { ...current });
    return keeping(exchange, () => next(params));
  };
}

/** What carries a value along with the work that it belongs to: an `AsyncLocalStorage` of Node is one. */
export interface ContextStorage<T> {
  run<R>(store: T, work: () => R): R;
  getStore(): T | undefined;
}

/**
 * Runs all of an exchange within one value of a storage: what is sent or handled, whatever comes of it, and the leaving. By
 * default it is the value of the moment of subscribing: what a call emits comes out of the transport's reading otherwise,
 * which knows nothing of who subscribed.
 */
export function runInContext<T>(
  storage: ContextStorage<T>,
  value?: (exchange: InterceptedRequest) => T,
): Interceptor {
  return (exchange, next) =>
    callStream<ResponseEvent>((sink) => {
      const store = value === undefined ? (storage.getStore() as T) : value(exchange);
      const inside = <R>(work: () => R): R => storage.run(store, work);
      const subscription = inside(() =>
        next().subscribe({
          next: (event) => inside(() => sink.next(event)),
          error: (error) => inside(() => sink.error(error)),
          complete: () => inside(() => sink.complete()),
        }),
      );
      return { cancel: () => inside(() => subscription.unsubscribe()) };
    });
}
