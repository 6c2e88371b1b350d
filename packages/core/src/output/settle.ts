import { noop } from '../base/checks.js';
import { type LogItem, type ProgressItem, reportKind } from '../contract/report-items.js';
import type { HandlerResult, Subscribable } from '../contract/offer.js';

/** Receives the events of a handler's output. `done` or `failed` is called exactly once and last. */
export interface ResultSink<T> {
  done(value: T): void;
  failed(error: unknown): void;
  /** The output ended without a result. */
  empty(): void;
  report(item: ProgressItem | LogItem): void;
  /** Teardown did not end the handler: it continues until the promise settles. */
  continues?(until: PromiseLike<unknown>): void;
  /** Teardown of the output threw after its result. */
  teardownFailed?(cause: unknown): void;
}

type Observer<T> = Parameters<Subscribable<T | ProgressItem | LogItem>['subscribe']>[0];

/** Output that calls a {@link ResultSink} directly, without an observer in between. */
export abstract class SelfSettling<T> implements Subscribable<T | ProgressItem | LogItem> {
  /** Runs, and returns the teardown function. */
  abstract settle(to: ResultSink<T>): () => void;

  subscribe(to: Observer<T>): { unsubscribe(): void } {
    return { unsubscribe: this.settle(forwardTo(to)) };
  }
}

/** Returns a sink that forwards everything to an observer. */
export function forwardTo<T>(to: Observer<T>): ResultSink<T> {
  return {
    done: (value) => to.next(value),
    failed: (error) => to.error(error),
    empty: () => to.complete(),
    report: (item) => to.next(item),
  };
}

/**
 * Calls a sink with the events of any handler output. Returns the teardown function, which does nothing after the
 * end. Nothing is reported after teardown.
 */
export function settleResult<T>(output: HandlerResult<T>, to: ResultSink<T>): () => void {
  if (typeof output !== 'object' || output === null) {
    to.done(output as T);
    return noop;
  }
  // A call of another server is both: a subscription to it can be cancelled.
  if (typeof (output as Subscribable<T>).subscribe === 'function') {
    if (output instanceof SelfSettling) return (output as SelfSettling<T>).settle(to);
    return settleSubscribable(output as Subscribable<T | ProgressItem | LogItem>, to);
  }
  if (typeof (output as PromiseLike<T>).then === 'function')
    return settlePromise(output as PromiseLike<T>, to);
  if (typeof (output as AsyncIterable<T>)[Symbol.asyncIterator] === 'function') {
    return settleIterable(output as AsyncIterable<T | ProgressItem | LogItem>, to);
  }
  to.done(output as T);
  return noop;
}

function settlePromise<T>(promise: PromiseLike<T>, to: ResultSink<T>): () => void {
  let open = true;
  promise.then(
    (value) => {
      if (open) to.done(value);
    },
    (error: unknown) => {
      if (open) to.failed(error);
    },
  );
  return () => {
    open = false;
    to.continues?.(promise);
  };
}

function settleSubscribable<T>(
  source: Subscribable<T | ProgressItem | LogItem>,
  to: ResultSink<T>,
): () => void {
  let open = true;
  let subscription = undefined as { unsubscribe(): void } | undefined;
  subscription = source.subscribe({
    next(value) {
      if (!open) return;
      if (reportKind(value) !== undefined) {
        to.report(value as ProgressItem | LogItem);
        return;
      }
      open = false;
      // The result first, so that a teardown that throws does not cost the caller its response.
      to.done(value as T);
      if (subscription !== undefined) tearDown(subscription, to);
    },
    error(error) {
      if (!open) return;
      open = false;
      to.failed(error);
    },
    complete() {
      if (!open) return;
      open = false;
      to.empty();
    },
  });
  // A source that emitted its result inside `subscribe` had no subscription to end yet.
  if (!open) tearDown(subscription, to);
  return () => {
    open = false;
    subscription?.unsubscribe();
  };
}

function tearDown(subscription: { unsubscribe(): void }, to: ResultSink<never>): void {
  try {
    subscription.unsubscribe();
  } catch (cause) {
    to.teardownFailed?.(cause);
  }
}

function settleIterable<T>(source: AsyncIterable<T | ProgressItem | LogItem>, to: ResultSink<T>): () => void {
  let open = true;
  const iterator = source[Symbol.asyncIterator]();
  const finish = (): void => {
    open = false;
    // An iterator that hangs in `return` must not delay anything else.
    Promise.resolve(iterator.return?.()).catch(noop);
  };
  void (async () => {
    try {
      while (open) {
        const step = await iterator.next();
        if (!open) return;
        if (step.done === true) {
          open = false;
          if (step.value === undefined) to.empty();
          else to.done(step.value as T);
          return;
        }
        if (reportKind(step.value) !== undefined) to.report(step.value as ProgressItem | LogItem);
        else {
          open = false;
          to.done(step.value as T);
          try {
            finish();
          } catch (cause) {
            to.teardownFailed?.(cause);
          }
        }
      }
    } catch (error) {
      if (!open) return;
      open = false;
      to.failed(error);
    }
  })();
  return () => {
    if (open) finish();
  };
}
