import type { LogItem, ProgressItem } from './items.js';
import type { Subscribable } from './offer.js';
import type { Settlement } from './settle.js';

type Observer<T> = Parameters<Subscribable<T | ProgressItem | LogItem>['subscribe']>[0];

/** A settlement that passes all it hears on to an observer. */
export function passOn<T>(to: Observer<T>): Settlement<T> {
  return {
    done: (value) => to.next(value),
    failed: (error) => to.error(error),
    empty: () => to.complete(),
    report: (item) => to.next(item),
  };
}
