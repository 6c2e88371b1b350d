import { onAbort } from './on-abort.js';

/** The value of a promise, or the error of an abort that comes first. What the promise gives later is left to its maker. */
export async function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  error: (reason: unknown) => Error,
): Promise<T> {
  if (signal?.aborted === true) {
    promise.catch(() => undefined);
    throw error(signal.reason);
  }
  let forget: () => void = () => undefined;
  const abort = new Promise<never>((_resolve, reject) => {
    forget = onAbort(signal, () => reject(error(signal?.reason)));
  });
  try {
    return await Promise.race([promise, abort]);
  } finally {
    forget();
  }
}
