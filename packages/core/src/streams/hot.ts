import { Observable } from 'rxjs';
import { Fanout } from './fanout.js';

/** The writing end of a hot stream. */
export interface Hot<T> {
  readonly stream: Observable<T>;
  readonly observed: boolean;
  emit(value: T): void;
  complete(): void;
}

/**
 * Creates a stream of events. A late subscriber receives the last `replay` events first, and after the end those
 * and the end.
 *
 * @stream event
 */
export function hot<T>(replay = 0): Hot<T> {
  const fanout = new Fanout<T>();
  const { subscribers } = fanout;
  const kept: T[] = [];
  let over = false;
  const stream = new Observable<T>((subscriber) => {
    for (const value of [...kept]) subscriber.next(value);
    if (over) {
      subscriber.complete();
      return undefined;
    }
    subscribers.add(subscriber);
    return () => subscribers.delete(subscriber);
  });
  return {
    stream,
    get observed() {
      return subscribers.size > 0;
    },
    emit(value) {
      if (over) return;
      if (replay > 0) {
        kept.push(value);
        if (kept.length > replay) kept.shift();
      }
      fanout.forEach((subscriber) => subscriber.next(value));
    },
    complete() {
      if (over) return;
      over = true;
      fanout.forEach((subscriber) => subscriber.complete());
    },
  };
}

/** The writing end of a view. */
export interface View<T> {
  readonly stream: Observable<T>;
  /** Announces a change. Many changes in one tick cause one emission. */
  changed(): void;
}

/**
 * Creates a status that is read on demand: each subscriber receives the current value at once, then one value per
 * tick with changes. Never errors.
 *
 * @stream status
 */
export function view<T>(read: () => T): View<T> {
  const fanout = new Fanout<T>();
  let isScheduled = false;
  return {
    stream: new Observable<T>((subscriber) => {
      fanout.subscribers.add(subscriber);
      subscriber.next(read());
      return () => fanout.subscribers.delete(subscriber);
    }),
    changed() {
      if (isScheduled || fanout.subscribers.size === 0) return;
      isScheduled = true;
      queueMicrotask(() => {
        isScheduled = false;
        if (fanout.subscribers.size === 0) return;
        const value = read();
        fanout.forEach((subscriber) => subscriber.next(value));
      });
    },
  };
}
