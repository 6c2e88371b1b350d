const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when a signal aborts, until the returned function is called. Adds one listener per signal, however
 * many callbacks wait: thousands of calls may share a signal, and Node warns of a leak for so many listeners.
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return () => undefined;
  const callbacks = waiting.get(signal) ?? listen(signal);
  const mine = (): void => callback();
  callbacks.add(mine);
  return () => {
    if (!callbacks.delete(mine) || callbacks.size > 0) return;
    waiting.delete(signal);
    signal.removeEventListener('abort', aborted);
  };
}

function listen(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>();
  waiting.set(signal, callbacks);
  signal.addEventListener('abort', aborted, { once: true });
  return callbacks;
}

function aborted({ target }: Event): void {
  const callbacks = waiting.get(target as AbortSignal);
  waiting.delete(target as AbortSignal);
  for (const each of [...(callbacks ?? [])]) if (callbacks?.delete(each) === true) each();
}

/** Resolves or rejects like the promise, or rejects at an abort that comes first, with `error` of its reason. */
export async function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  error: (reason: unknown) => Error,
): Promise<T> {
  let forget: () => void = () => undefined;
  const abort = new Promise<never>((_resolve, reject) => {
    const aborted = (): void => reject(error(signal?.reason));
    if (signal?.aborted === true) aborted();
    else forget = onAbort(signal, aborted);
  });
  try {
    return await Promise.race([abort, promise]);
  } finally {
    forget();
  }
}
