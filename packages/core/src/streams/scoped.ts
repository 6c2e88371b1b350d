import { Observable } from 'rxjs';

/** Something with a lifetime that a stream owns. */
export interface Opened<T> {
  readonly value: T;
  close(): Promise<void>;
  /** Calls back once when it ended on its own, with an error unless it ended in order. */
  onEnd(callback: (cause: Error | undefined) => void): void;
}

/**
 * Creates a stream that opens something on subscribe, emits it, ends with it, and closes it on unsubscribe.
 *
 * @stream scoped
 */
export function scoped<T>(open: (signal: AbortSignal) => Promise<Opened<T>>): Observable<T> {
  return new Observable<T>((subscriber) => {
    const leaving = new AbortController();
    open(leaving.signal).then(
      (opened) => {
        if (leaving.signal.aborted) {
          void opened.close();
          return;
        }
        leaving.signal.addEventListener('abort', () => void opened.close(), { once: true });
        opened.onEnd((cause) => {
          if (cause === undefined) subscriber.complete();
          else subscriber.error(cause);
        });
        subscriber.next(opened.value);
      },
      (error: unknown) => subscriber.error(error),
    );
    return () => leaving.abort();
  });
}
