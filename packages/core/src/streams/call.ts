import { Observable } from 'rxjs';

/** What the run of a call tells. One of `complete` and `error` comes once, after `subscribe` has returned. */
export interface CallSink<T> {
  next(value: T): void;
  error(error: unknown): void;
  complete(): void;
}

/** A running call. */
export interface Running {
  /** Takes the call back; does nothing when it has ended. */
  cancel(): void;
}

/**
 * A cold call: every subscriber makes a request of its own, leaving before the end cancels it.
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
 * A call that cannot be made: it errors as any other call does, after `subscribe` has returned.
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
