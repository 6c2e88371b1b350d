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
 * Events as they happen. A late subscriber gets the last `replay` of them first; after the end it gets those and the end.
 *
 * @stream event
 */
export function hot<T>(replay = 0, onObserved?: (observed: boolean) => void): Hot<T> {
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
    if (subscribers.size === 1) onObserved?.(true);
    return () => {
      if (subscribers.delete(subscriber) && subscribers.size === 0) onObserved?.(false);
    };
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
      fanout.tell((subscriber) => subscriber.next(value));
    },
    complete() {
      if (over) return;
      over = true;
      fanout.tell((subscriber) => subscriber.complete());
    },
  };
}
