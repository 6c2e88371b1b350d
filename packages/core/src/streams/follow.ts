import type { Subscription } from 'rxjs';
import { Observable } from 'rxjs';
import { Fanout } from './fanout.js';

// Operators of RxJS take promises, iterables and more, whose conversion is larger than what a bundle needs of them here.

/**
 * What `next` returns, subscribed once `first` has emitted its one value; at once where there is no `first`.
 *
 * @stream call
 */
export function following<T>(
  first: () => Observable<unknown> | undefined,
  next: () => Observable<T>,
): Observable<T> {
  return new Observable<T>((subscriber) => {
    const before = first();
    if (before === undefined) return next().subscribe(subscriber);
    subscriber.add(
      before.subscribe({
        next: () => subscriber.add(next().subscribe(subscriber)),
        error: (error) => subscriber.error(error),
      }),
    );
    return undefined;
  });
}

/**
 * A stream, and after its error what `recover` returns for it; the error itself where that is undefined.
 *
 * @stream call
 */
export function recovering<T>(
  source: Observable<T>,
  recover: (error: unknown) => Observable<T> | undefined,
): Observable<T> {
  return new Observable<T>((subscriber) => {
    subscriber.add(
      source.subscribe({
        next: (value) => subscriber.next(value),
        error: (error) => {
          const instead = recover(error);
          if (instead === undefined) subscriber.error(error);
          else subscriber.add(instead.subscribe(subscriber));
        },
        complete: () => subscriber.complete(),
      }),
    );
  });
}

/**
 * One subscription of a call for all who subscribe while it runs; the next one starts it again. Like any call, it emits nothing
 * before `subscribe` has returned.
 *
 * @stream call
 */
export function shared<T>(source: Observable<T>): Observable<T> {
  const fanout = new Fanout<T>();
  const { subscribers } = fanout;
  let running: Subscription | undefined;
  return new Observable<T>((subscriber) => {
    subscribers.add(subscriber);
    running ??= source.subscribe({
      next: (value) => fanout.tell((to) => to.next(value)),
      error: (error) => {
        running = undefined;
        fanout.tell((to) => to.error(error));
      },
      complete: () => {
        running = undefined;
        fanout.tell((to) => to.complete());
      },
    });
    return () => {
      if (!subscribers.delete(subscriber) || subscribers.size > 0) return;
      running?.unsubscribe();
      running = undefined;
    };
  });
}
