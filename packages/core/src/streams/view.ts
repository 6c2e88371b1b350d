import { Observable } from 'rxjs';
import { Fanout } from './fanout.js';

/** The writing end of a view. */
export interface View<T> {
  readonly stream: Observable<T>;
  /** What is seen changed; many changes of one tick are told once. */
  changed(): void;
}

/**
 * A status that is read when somebody looks, and not before: every subscriber gets the value of the moment at once, then one
 * per tick with changes. Never errors.
 *
 * @stream status
 */
export function view<T>(read: () => T): View<T> {
  const fanout = new Fanout<T>();
  let telling = false;
  return {
    stream: new Observable<T>((subscriber) => {
      fanout.subscribers.add(subscriber);
      subscriber.next(read());
      return () => fanout.subscribers.delete(subscriber);
    }),
    changed() {
      if (telling || fanout.subscribers.size === 0) return;
      telling = true;
      queueMicrotask(() => {
        telling = false;
        if (fanout.subscribers.size === 0) return;
        const value = read();
        fanout.tell((subscriber) => subscriber.next(value));
      });
    },
  };
}
