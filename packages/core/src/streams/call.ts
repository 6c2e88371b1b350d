import { Observable } from 'rxjs';

/** Receives the events of a call. `complete` or `error` is called once, after `subscribe` has returned. */
export interface CallSink<T> {
  next(value: T): void;
  error(error: unknown): void;
  complete(): void;
}

/** A running call. */
export interface Running {
  /** Cancels the call. Does nothing after its end. */
  cancel(): void;
}

/**
 * Creates a cold call: each subscription makes a request, and unsubscribing before its end cancels it.
 *
 * @stream call
 */
export function callStream<T>(start: (sink: CallSink<T>) => Running): Observable<T> {
  return new Observable<T>((subscriber) => {
    const running = start(subscriber);
    return () => running.cancel();
  });
}

/**
 * Creates a call that fails with an error, after `subscribe` has returned like all calls.
 *
 * @stream call
 */
export function failedCall(error: unknown): Observable<never> {
  return callStream<never>((sink) => {
    let open = true;
    queueMicrotask(() => {
      if (open) sink.error(error);
    });
    return {
      cancel: () => {
        open = false;
      },
    };
  });
}
