import { Observable, Subscription } from 'rxjs';
import type { StartCall } from './call.js';
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
): StartCall<T> {
  return (sink) => {
    const before = first();
    const all = new Subscription();
    if (before === undefined) all.add(next().subscribe(sink));
    else {
      all.add(
        before.subscribe({
          next: () => all.add(next().subscribe(sink)),
          error: (error) => sink.error(error),
        }),
      );
    }
    return { cancel: () => all.unsubscribe() };
  };
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
): StartCall<T> {
  return (sink) => {
    const all = new Subscription();
    all.add(
      source.subscribe({
        next: (value) => sink.next(value),
        error: (error) => {
          const instead = recover(error);
          if (instead === undefined) sink.error(error);
          else all.add(instead.subscribe(sink));
        },
        complete: () => sink.complete(),
      }),
    );
    return { cancel: () => all.unsubscribe() };
  };
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
