import type { Clock } from './clock.js';

/** By this Node's `promisify` finds what returns a promise. */
const custom = Symbol.for('nodejs.util.promisify.custom');

/** Gives a timer function its promised form, as Node's have one. */
export function promisable<T extends object>(timer: T, clock: Clock, takesDelay: boolean): T {
  const later = (...[delay, ...rest]: unknown[]): Promise<unknown> =>
    takesDelay ? promised(clock, delay, ...rest) : promised(clock, 0, delay, ...rest);
  return Object.defineProperty(timer, custom, { value: later });
}

function promised(clock: Clock, delay: unknown, value?: unknown, options?: unknown): Promise<unknown> {
  const { signal } = (options ?? {}) as { readonly signal?: AbortSignal };
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clock.stop(timer);
      reject(new DOMException('The operation was aborted', 'AbortError'));
    };
    const timer = clock.start(
      () => {
        signal?.removeEventListener('abort', abort);
        resolve(value);
      },
      delay,
      false,
    );
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
