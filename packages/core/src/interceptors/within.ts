import { callStream } from '../streams/call.js';
import type { ExchangeEvent, Intercepted, Interceptor } from './interceptor.js';

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
export function within<T>(storage: ContextStorage<T>, value?: (exchange: Intercepted) => T): Interceptor {
  return (exchange, next) =>
    callStream<ExchangeEvent>((sink) => {
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
