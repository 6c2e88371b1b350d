import type { Output } from './offer.js';
import { passOn } from './pass-on.js';
import { settle } from './settle.js';

/** Whether the result of a handler's output is still to come. */
export function isPending(output: unknown): boolean {
  if (typeof output !== 'object' || output === null) return false;
  const { then, subscribe } = output as { then?: unknown; subscribe?: unknown };
  if (typeof then === 'function' || typeof subscribe === 'function') return true;
  return typeof (output as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === 'function';
}

/** The same output with another result; reports pass. What `project` throws fails the output. */
export function mapOutput<T, U>(output: Output<T>, project: (value: T) => U): Output<U> {
  if (!isPending(output)) return project(output as T);
  return {
    subscribe(to) {
      const stop = settle(output, {
        ...passOn(to),
        done(value) {
          let result: U;
          try {
            result = project(value);
          } catch (error) {
            to.error(error);
            return;
          }
          to.next(result);
        },
      });
      return { unsubscribe: stop };
    },
  };
}
