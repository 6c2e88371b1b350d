import type { TraceContext } from '../base/request-meta.js';
import { readTraceContext, withMeta } from '../base/request-meta.js';
import type { ResponseEvent, InterceptedRequest, Interceptor } from '../contract/interceptor.js';
import { callStream } from '../streams/call.js';

/** Configures {@link trace}. */
export interface TraceOptions {
  /** Holds the current trace, such as `new AsyncLocalStorage()`. Server and client share it. */
  readonly storage: ContextStorage<TraceContext | undefined>;
}

/**
 * Propagates a trace. On a server the handler runs within the trace of its request. On a client a call carries the
 * trace it was made in, unless it has its own. Among the `incomingInterceptors` of a client the handling of an ask
 * runs within the trace of the request that asked. Use {@link readTraceContext} to propagate it in other ways.
 */
export function trace({ storage }: TraceOptions): Interceptor {
  const inContext = runInContext(storage, ({ meta }) => readTraceContext(meta));
  const keeping = runInContext(storage);
  return (request, next) => {
    if (request.side === 'server') return inContext(request, next);
    const current = storage.getStore();
    if (current === undefined || 'traceparent' in request.meta) return keeping(request, next);
    const params = withMeta(request.params, { ...current });
    return keeping(request, () => next(params));
  };
}

/** Holds a current value across asynchronous work: the part of Node's `AsyncLocalStorage` that interceptors use. */
export interface ContextStorage<T> {
  /** Runs a function with a current value, and returns its result. */
  run<R>(store: T, work: () => R): R;
  /** Returns the current value; undefined outside of `run`. */
  getStore(): T | undefined;
}

/**
 * Returns an interceptor that runs each request inside one value of an `AsyncLocalStorage`, its events and its teardown included.
 * Without it, events of a call run in the context of the transport.
 * @param value - returns the value for a request. Default: the current value at the time of subscribing
 */
export function runInContext<T>(
  storage: ContextStorage<T>,
  value?: (request: InterceptedRequest) => T,
): Interceptor {
  return (request, next) =>
    callStream<ResponseEvent>((sink) => {
      const store = value === undefined ? (storage.getStore() as T) : value(request);
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
