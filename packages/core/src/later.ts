import type { LogItem, ProgressItem } from './items.js';
import type { Output, Subscribable } from './offer.js';
import { settle } from './settle.js';

/**
 * Output that begins once something is ready. `next` may give any kind of output; it is not called any more once the
 * whole is torn down.
 */
export function later<X, T>(
  ready: PromiseLike<X>,
  next: (value: X) => Output<T>,
): Subscribable<T | ProgressItem | LogItem> {
  return {
    subscribe(to) {
      let open = true;
      let stop: (() => void) | undefined;
      const settlement = {
        done: (value: T) => to.next(value),
        failed: (error: unknown) => to.error(error),
        empty: () => to.complete(),
        report: (item: ProgressItem | LogItem) => to.next(item),
      };
      ready.then(
        (value) => {
          if (!open) return;
          try {
            stop = settle(next(value), settlement);
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
