import type { LogItem, ProgressItem } from '../contract/report-items.js';
import type { HandlerResult, Subscribable } from '../contract/offer.js';
import { forwardTo, settleResult } from './settle.js';

/** Whether the result of a handler's output is not available yet. */
export function isPending(output: unknown): boolean {
  if (typeof output !== 'object' || output === null) return false;
  const { then, subscribe } = output as { then?: unknown; subscribe?: unknown };
  if (typeof then === 'function' || typeof subscribe === 'function') return true;
  return typeof (output as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === 'function';
}

/** Returns the output with a converted result. Reports pass unchanged. An error that `project` throws fails the output. */
export function mapHandlerResult<T, U>(output: HandlerResult<T>, project: (value: T) => U): HandlerResult<U> {
  if (!isPending(output)) return project(output as T);
  return {
    subscribe(to) {
      const stop = settleResult(output, {
        ...forwardTo(to),
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

/**
 * Returns output that begins when `ready` resolves. `next` may return any kind of output; it is not called after
 * teardown.
 */
export function deferResult<X, T>(
  ready: PromiseLike<X>,
  next: (value: X) => HandlerResult<T>,
): Subscribable<T | ProgressItem | LogItem> {
  return {
    subscribe(to) {
      let open = true;
      let stop: (() => void) | undefined;
      ready.then(
        (value) => {
          if (!open) return;
          try {
            stop = settleResult(next(value), forwardTo(to));
          } catch (error) {
            to.error(error);
          }
        },
        (error: unknown) => {
          if (open) to.error(error);
        },
      );
      return {
        unsubscribe() {
          open = false;
          stop?.();
        },
      };
    },
  };
}
