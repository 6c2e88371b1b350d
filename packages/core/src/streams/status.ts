import { Observable } from 'rxjs';
import type { Subscriber } from 'rxjs';

/** The writing end of a status. */
export interface Status<T> {
  readonly stream: Observable<T>;
  readonly value: T;
  set(value: T): void;
  /** Sets the last value and completes. */
  end(value: T): void;
}

/**
 * The current state of something: every subscriber gets the value of the moment at once, then each change. Never errors.
 *
 * @stream status
 */
export function status<T>(initial: T): Status<T> {
  const subscribers = new Set<Subscriber<T>>();
  let current = initial;
  let over = false;
  const set = (value: T): void => {
    if (over) return;
    current = value;
    for (const subscriber of [...subscribers]) subscriber.next(value);
  };
  return {
    stream: new Observable<T>((subscriber) => {
      subscriber.next(current);
      if (over) subscriber.complete();
      else subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    }),
    get value() {
      return current;
    },
    set,
    end(value) {
      if (over) return;
      set(value);
      over = true;
      for (const subscriber of [...subscribers]) subscriber.complete();
      subscribers.clear();
    },
  };
}
