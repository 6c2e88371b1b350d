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

const watched = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when the signal fires; returns what forgets that. However many wait for one signal, it gets one listener: runtimes
 * warn of more, and users share a signal among many calls.
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return () => undefined;
  const callbacks = watched.get(signal) ?? listened(signal);
  callbacks.add(callback);
  return () => callbacks.delete(callback);
}

function listened(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>();
  watched.set(signal, callbacks);
  signal.addEventListener(
    'abort',
    () => {
      for (const callback of callbacks) callback();
      callbacks.clear();
    },
    { once: true },
  );
  return callbacks;
}
