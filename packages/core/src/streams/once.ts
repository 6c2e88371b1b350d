import type { Observable } from 'rxjs';
import { RxmcpError } from '../base/errors.js';
import { onAbort, abortReason } from '../base/on-abort.js';
import type { Subscribable } from '../contract/offer.js';
import { unhandled } from './fanout.js';

/**
 * The one result of a stream as a promise. Aborting `signal` unsubscribes, and so cancels, and rejects with the signal's
 * reason. A stream that ends without a value rejects with NO_RESULT.
 */
export function once<T>(
  // An Observable is named because TypeScript does not find T through the overloads of its subscribe.
  stream: Observable<T> | Subscribable<T>,
  options: { readonly signal?: AbortSignal } = {},
): Promise<T> {
  const { signal } = options;
  return new Promise<T>((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(abortReason(signal));
      return;
    }
    let over = false;
    let subscription = undefined as { unsubscribe(): void } | undefined;
    // After the promise is settled: what a teardown throws must not cost the caller the outcome.
    const leave = (): void => {
      over = true;
      forget?.();
      try {
        subscription?.unsubscribe();
      } catch (cause) {
        unhandled(cause);
      }
    };
    const forget =
      signal === undefined
        ? undefined
        : onAbort(signal, () => {
            reject(abortReason(signal));
            leave();
          });
    subscription = (stream as Subscribable<T>).subscribe({
      next(value) {
        if (over) return;
        resolve(value);
        leave();
      },
      error(error) {
        if (over) return;
        reject(error as Error);
        leave();
      },
      complete() {
        if (over) return;
        reject(new RxmcpError('NO_RESULT', 'the stream ended without a value'));
        leave();
      },
    });
    if (over) leave();
  });
}
