import type { Subscription } from 'rxjs';
import { Observable } from 'rxjs';
import { Fanout } from './fanout.js';

// Not RxJS operators: they accept promises, iterables and more, which would make bundles larger.

/**
 * Subscribes to what `next` returns once `first` has emitted its value, or at once without `first`.
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
 * Emits what `change` returns for each value. An error that it throws is an error of the stream.
 *
 * @stream call
 */
export function mapped<T, R>(source: Observable<T>, change: (value: T) => R): Observable<R> {
  return new Observable<R>((subscriber) => {
    subscriber.add(
      source.subscribe({
        next: (value) => {
          if (subscriber.closed) return;
          let changed: R;
          try {
            changed = change(value);
          } catch (error) {
            subscriber.error(error);
            return;
          }
          subscriber.next(changed);
        },
        error: (error) => subscriber.error(error),
        complete: () => subscriber.complete(),
      }),
    );
  });
}

/**
 * Continues a failed stream with what `recover` returns, or with the error if that is undefined.
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
 * Shares one subscription of a call among those who subscribe while it runs. The next subscriber after that starts
 * it again. Like any call, it emits nothing before `subscribe` has returned.
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
      next: (value) => fanout.forEach((to) => to.next(value)),
      error: (error) => {
        running = undefined;
        fanout.forEach((to) => to.error(error));
      },
      complete: () => {
        running = undefined;
        fanout.forEach((to) => to.complete());
      },
    });
    return () => {
      if (!subscribers.delete(subscriber) || subscribers.size > 0) return;
      running?.unsubscribe();
      running = undefined;
    };
  });
}
