import { Observable } from 'rxjs';
import { eachSecond } from '../base/clock.js';
import { Fanout } from './fanout.js';

/** The writing end of a status. */
export interface Status<T> {
  readonly stream: Observable<T>;
  readonly value: T;
  set(value: T): void;
  /** Sets the last value and completes. */
  end(value: T): void;
}

/**
 * Creates a status: each subscriber receives the current value at once, then each change. Never errors.
 *
 * @stream status
 */
export function status<T>(initial: T): Status<T> {
  const fanout = new Fanout<T>();
  let current = initial;
  let over = false;
  const set = (value: T): void => {
    if (over) return;
    current = value;
    fanout.forEach((subscriber) => subscriber.next(value));
  };
  return {
    stream: new Observable<T>((subscriber) => {
      // Added first: a change that this `next` causes must not be missed.
      if (!over) fanout.subscribers.add(subscriber);
      subscriber.next(current);
      if (over) subscriber.complete();
      return () => fanout.subscribers.delete(subscriber);
    }),
    get value() {
      return current;
    },
    set,
    end(value) {
      if (over) return;
      set(value);
      over = true;
      fanout.forEach((subscriber) => subscriber.complete());
    },
  };
}

/**
 * Creates a status that is read on demand: each subscriber receives the current value at once, then each second.
 * Never ends.
 *
 * @stream status
 */
export function sampled<T>(read: () => T): Observable<T> {
  return new Observable<T>((subscriber) => {
    // Added before the first value, so that a subscriber that unsubscribes in its `next` is removed.
    subscriber.add(eachSecond(() => subscriber.next(read())));
    subscriber.next(read());
  });
}
