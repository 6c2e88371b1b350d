import { RxmcpError } from './errors.js';

/**
 * Calls back when a signal aborts, until the returned function is called. Adds one listener per signal, however
 * many callbacks wait: thousands of calls may share a signal, and Node warns of a leak for so many listeners.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let waiting = waitingFor.get(signal);
  if (waiting === undefined) {
    const callbacks = new Set<() => void>();
    const listener = (): void => {
      waitingFor.delete(signal);
      for (const each of [...callbacks]) if (callbacks.delete(each)) each();
    };
    signal.addEventListener('abort', listener, { once: true });
    waiting = { callbacks, listener };
    waitingFor.set(signal, waiting);
  }
  const { callbacks, listener } = waiting;
  const mine = (): void => callback();
  callbacks.add(mine);
  return () => {
    if (!callbacks.delete(mine) || callbacks.size > 0 || waitingFor.get(signal)?.callbacks !== callbacks)
      return;
    waitingFor.delete(signal);
    signal.removeEventListener('abort', listener);
  };
}

interface Waiting {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const waitingFor = new WeakMap<AbortSignal, Waiting>();

/** Returns the reason of an aborted signal as an error. */
export function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new RxmcpError('CANCELLED', String(signal.reason));
}
