import type { Observable } from 'rxjs';
import type { Subscribable } from '../offer.js';
import { McpError } from '../errors.js';
import { onAbort } from './on-abort.js';

/**
 * The one result of a stream as a promise. Aborting `signal` unsubscribes, and so cancels, and rejects with the signal's
 * reason. A stream that ends without a value rejects with HANDLER_EMPTY.
 */
export function once<T>(
  // An Observable is named because TypeScript does not find T through the overloads of its subscribe.
  stream: Observable<T> | Subscribable<T>,
  options: { readonly signal?: AbortSignal } = {},
): Promise<T> {
  const { signal } = options;
  return new Promise<T>((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(reasonOf(signal));
      return;
    }
    let over = false;
    let subscription = undefined as { unsubscribe(): void } | undefined;
    const end = (): void => {
      over = true;
      forget?.();
      subscription?.unsubscribe();
    };
    const forget =
      signal === undefined
        ? undefined
        : onAbort(signal, () => {
            end();
            reject(reasonOf(signal));
          });
    subscription = (stream as Subscribable<T>).subscribe({
      next(value) {
        if (over) return;
        end();
        resolve(value);
      },
      error(error) {
        if (over) return;
        end();
        reject(error as Error);
      },
      complete() {
        if (over) return;
        end();
        reject(new McpError('HANDLER_EMPTY', 'the stream ended without a value'));
      },
    });
    if (over) subscription.unsubscribe();
  });
}

/** Options of {@link each}. */
export interface EachOptions {
  /** Values kept for a slow reader; beyond it the iteration fails with OVERFLOW. @default 1024 */
  readonly bufferSize?: number;
  /** Ends the iteration with its reason. */
  readonly signal?: AbortSignal;
}

/** The values of a stream as an async iterable. Leaving the loop unsubscribes. */
export async function* each<T>(
  stream: Observable<T> | Subscribable<T>,
  options: EachOptions = {},
): AsyncGenerator<T, void, undefined> {
  const { bufferSize = 1_024, signal } = options;
  const values: T[] = [];
  let end: { error?: unknown } | undefined;
  let wake: (() => void) | undefined;
  const finish = (how: { error?: unknown }): void => {
    end ??= how;
    wake?.();
  };
  // The reader may be busy for long: the stream is left now, not when the reader comes back.
  const leave = (error: unknown): void => {
    finish({ error });
    subscription?.unsubscribe();
  };
  if (signal?.aborted === true) throw reasonOf(signal);
  let subscription = undefined as { unsubscribe(): void } | undefined;
  const forget =
    signal === undefined
      ? undefined
      : onAbort(signal, () => {
          values.length = 0;
          leave(reasonOf(signal));
        });
  subscription = (stream as Subscribable<T>).subscribe({
    next(value) {
      if (end !== undefined) return;
      if (values.length >= bufferSize)
        leave(new McpError('OVERFLOW', `the reader is ${bufferSize} values behind`));
      else values.push(value);
      wake?.();
    },
    error: (error) => finish({ error }),
    complete: () => finish({}),
  });
  // A stream that went wrong inside subscribe could not be left there.
  if (end !== undefined) subscription.unsubscribe();
  try {
    for (;;) {
      while (values.length > 0) yield values.shift() as T;
      if (end !== undefined) break;
      await new Promise<void>((resolve) => (wake = resolve));
    }
    if ('error' in end) throw end.error;
  } finally {
    forget?.();
    subscription.unsubscribe();
  }
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new McpError('CANCELLED', String(signal.reason));
}
