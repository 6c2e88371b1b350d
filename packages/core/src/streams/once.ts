import type { Observable } from 'rxjs';
import { RxmcpError } from '../base/errors.js';
import { onAbort } from '@rxmcp/transport/internal';
import { abortReason } from '../base/abort-reason.js';
import type { Subscribable } from '../contract/offer.js';
import { unhandled } from './fanout.js';

/**
 * Returns the result of a stream as a promise. Aborting `signal` unsubscribes, which cancels a call, and rejects
 * with the reason of the signal.
 * @throws RxmcpError `NO_RESULT` for a stream that completes without a value
 */
export function once<T>(
  // Observable is named because TypeScript does not infer T from the overloads of its subscribe.
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
    // Called after the promise is settled, so that a teardown that throws does not cost the caller the result.
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
