import type { Observable } from 'rxjs';
import { isThenable } from '../base/checks.js';
import { RxmcpError } from '../base/errors.js';
import { describeValue } from '../base/message-text.js';
import { onAbort } from '@rxmcp/transport/internal';
import { abortReason } from '../base/abort-reason.js';
import type { Subscribable } from '../contract/offer.js';
import { AwaitableCall, notResult } from './call.js';
import { unhandled } from './fanout.js';

/** Options of {@link once}. */
export interface OnceOptions {
  /** Aborting it unsubscribes, which cancels a call, and rejects with the reason of the signal. @default none */
  readonly signal?: AbortSignal;
}

/**
 * Returns a promise of the first value of an Observable, then unsubscribes, like `once` of `node:events`. For a call, also one with
 * events, it resolves with the result.
 * @throws RxmcpError `NO_RESULT` for a stream that completes without a value
 * @throws TypeError for anything but a stream
 * @example
 * const signal = AbortSignal.timeout(5_000);
 * const names = await once(tools(remote).list$, { signal });
 * const open = await once(remote.status$);
 */
export function once<T, E>(call: Observable<E> & PromiseLike<T>, options?: OnceOptions): Promise<T>;
// Observable is named because TypeScript does not infer T from the overloads of its subscribe.
export function once<T>(stream: Observable<T> | Subscribable<T>, options?: OnceOptions): Promise<T>;
export function once<T>(stream: Observable<T> | Subscribable<T>, { signal }: OnceOptions = {}): Promise<T> {
  if (typeof (stream as Partial<Subscribable<T>> | null | undefined)?.subscribe !== 'function') {
    throw new TypeError(
      isThenable(stream)
        ? 'once: expected an Observable, got a promise: await it without "once"'
        : `once: expected an Observable, got ${describeValue(stream)}`,
    );
  }
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
        const result =
          stream instanceof AwaitableCall ? (stream.resultOf(value) as T | typeof notResult) : value;
        if (over || result === notResult) return;
        resolve(result);
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
