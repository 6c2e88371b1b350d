import { Observable, type Subscriber } from 'rxjs';
import { Fanout } from './fanout.js';

/** Receives what the source of a state reports. */
export interface StateSink<T> {
  next(value: T): void;
  /** This run failed. The next subscriber starts another one. */
  error(error: unknown): void;
  /** No run will follow: ends all current and later subscribers, with an error if there is one. */
  over(error: unknown): void;
}

/**
 * Creates a value that is kept current for any number of subscribers. The first subscriber starts the source, and
 * each receives the last value at once. The last one to unsubscribe stops the source one macrotask later, unless
 * another subscribed meanwhile. After the end, a subscriber receives the end at once. After an error, it starts the
 * source again, so that `retry` works.
 *
 * @stream state
 */
export function state<T>(start: (sink: StateSink<T>) => () => void): Observable<T> {
  const fanout = new Fanout<T>();
  const { subscribers } = fanout;
  let stop: (() => void) | undefined;
  let last: { value: T } | undefined;
  let lingering: ReturnType<typeof setTimeout> | undefined;
  let terminal: ((subscriber: Subscriber<T>) => void) | undefined;

  const halt = (): void => {
    clearTimeout(lingering);
    lingering = undefined;
    const source = stop;
    stop = undefined;
    last = undefined;
    source?.();
  };

  const begin = (): void => {
    let open = true;
    const run: { end?: () => void } = {};
    const finish = (how: (subscriber: Subscriber<T>) => void): void => {
      open = false;
      halt();
      fanout.forEach(how);
    };
    stop = () => {
      open = false;
      run.end?.();
    };
    run.end = start({
      next(value) {
        if (!open) return;
        last = { value };
        fanout.forEach((subscriber) => subscriber.next(value));
      },
      error(error) {
        if (open) finish((subscriber) => subscriber.error(error));
      },
      over(error) {
        if (!open) return;
        terminal = (subscriber) => {
          if (error === undefined) subscriber.complete();
          else subscriber.error(error);
        };
        finish(terminal);
      },
    });
    // It ended inside `start`, before there was anything to stop.
    if (!open) run.end();
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
      lingering = setTimeout(halt, 0);
    };
  });
}
