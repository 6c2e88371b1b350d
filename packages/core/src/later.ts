import type { LogItem, ProgressItem } from './items.js';
import type { Output, Subscribable } from './offer.js';
import { passOn } from './pass-on.js';
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
      ready.then(
        (value) => {
          if (!open) return;
          try {
            stop = settle(next(value), passOn(to));
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
