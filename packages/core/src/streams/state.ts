import { Observable } from 'rxjs';
import type { Subscriber } from 'rxjs';

/** What the source of a state tells. */
export interface StateSink<T> {
  next(value: T): void;
  error(error: unknown): void;
  complete(): void;
}

/**
 * A value kept current for any number of subscribers: the first one starts the source, each gets the last value at once,
 * the last one out stops the source one macrotask later, unless another came in between. After the source's end a
 * subscriber gets that end.
 *
 * @stream state
 */
export function state<T>(start: (sink: StateSink<T>) => () => void): Observable<T> {
  const subscribers = new Set<Subscriber<T>>();
  let stop: (() => void) | undefined;
  let last: { value: T } | undefined;
  let lingering: ReturnType<typeof setTimeout> | undefined;
  let terminal: ((subscriber: Subscriber<T>) => void) | undefined;

  const finish = (how: (subscriber: Subscriber<T>) => void): void => {
    if (terminal !== undefined) return;
    terminal = how;
    const source = stop;
    stop = undefined;
    source?.();
    for (const subscriber of [...subscribers]) how(subscriber);
    subscribers.clear();
  };

  const begin = (): void => {
    let open = true;
    const end = start({
      next(value) {
        if (!open) return;
        last = { value };
        for (const subscriber of [...subscribers]) subscriber.next(value);
      },
      error: (error) => {
        if (open) finish((subscriber) => subscriber.error(error));
      },
      complete: () => {
        if (open) finish((subscriber) => subscriber.complete());
      },
    });
    stop = () => {
      open = false;
      last = undefined;
      end();
    };
  };

  return new Observable<T>((subscriber) => {
    if (terminal !== undefined) {
      terminal(subscriber);
      return undefined;
    }
    clearTimeout(lingering);
    lingering = undefined;
    subscribers.add(subscriber);
    if (last !== undefined) subscriber.next(last.value);
    if (stop === undefined) begin();
    return () => {
      if (!subscribers.delete(subscriber) || subscribers.size > 0 || stop === undefined) return;
      lingering = setTimeout(() => {
        lingering = undefined;
        const source = stop;
        stop = undefined;
        source?.();
      }, 0);
    };
  });
}
