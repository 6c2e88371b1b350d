import type { Observable } from 'rxjs';
import type { Subscribable } from '../offer.js';
import { McpError } from '../errors.js';

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
    const aborted = (): void => {
      end();
      reject(reasonOf(signal as AbortSignal));
    };
    const end = (): void => {
      over = true;
      signal?.removeEventListener('abort', aborted);
      subscription?.unsubscribe();
    };
    signal?.addEventListener('abort', aborted);
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
  const aborted = (): void => finish({ error: reasonOf(signal as AbortSignal) });
  if (signal?.aborted === true) throw reasonOf(signal);
  signal?.addEventListener('abort', aborted);
  const subscription = (stream as Subscribable<T>).subscribe({
    next(value) {
      if (end !== undefined) return;
      if (values.length >= bufferSize)
        finish({ error: new McpError('OVERFLOW', `the reader is ${bufferSize} values behind`) });
      else values.push(value);
      wake?.();
    },
    error: (error) => finish({ error }),
    complete: () => finish({}),
  });
  try {
    for (;;) {
      while (values.length > 0) yield values.shift() as T;
      if (end !== undefined) break;
      await new Promise<void>((resolve) => (wake = resolve));
    }
    if ('error' in end) throw end.error;
  } finally {
    signal?.removeEventListener('abort', aborted);
    subscription.unsubscribe();
  }
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new McpError('CANCELLED', String(signal.reason));
}
