import { Observable } from 'rxjs';
import type { Subscriber } from 'rxjs';
import { Fanout } from './fanout.js';

/** What the source of a state tells. */
export interface StateSink<T> {
  next(value: T): void;
  /** This run failed; who subscribes afterwards starts the next. */
  error(error: unknown): void;
  /** There will be no run any more: the end for all, whoever comes later included; an error unless it is in order. */
  over(error: unknown): void;
}

/**
 * A value kept current for any number of subscribers: the first one starts the source, each gets the last value at once,
 * the last one out stops the source one macrotask later, unless another came in between. Once it is over, a subscriber
 * gets that end at once; after an error it starts the source again, so that `retry` does what it says.
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
      fanout.tell(how);
    };
    stop = () => {
      open = false;
      run.end?.();
    };
    run.end = start({
      next(value) {
        if (!open) return;
        last = { value };
        fanout.tell((subscriber) => subscriber.next(value));
      },
      error(error) {
        if (open) finish((subscriber) => subscriber.error(error));
      },
      over(error) {
        if (!open || terminal !== undefined) return;
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
