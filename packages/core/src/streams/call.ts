import { Observable } from 'rxjs';
import type { Call, CallEvent, CallWithEvents } from '../contract/remote.js';

/** Receives the events of a call. `complete` or `error` is called once, after `subscribe` has returned. */
export interface CallSink<T> {
  next(value: T): void;
  error(error: unknown): void;
  complete(): void;
}

/** A running call. */
export interface Running {
  /** Cancels the call. Does nothing after its end. */
  cancel(): void;
}

/** Starts a call for one subscriber. */
export type StartCall<T> = (sink: CallSink<T>) => Running;

/**
 * Creates a cold call: each subscription makes a request, and unsubscribing before its end cancels it.
 *
 * @stream call
 */
export function callStream<T>(start: StartCall<T>): Observable<T> {
  return new Observable<T>(subscriberOf(start));
}

/**
 * Creates a cold call that can also be awaited, which makes a request like a subscription.
 *
 * @stream call
 */
export function awaitableCall<T>(start: StartCall<T>): Call<T> {
  return new AwaitableCall<T, T>(start);
}

/**
 * Creates a cold call that emits events and gives its result when it is awaited.
 *
 * @stream call
 */
export function awaitableEvents<T>(start: StartCall<CallEvent<T>>): CallWithEvents<T> {
  return new AwaitableEvents<T>(start);
}

/** Starts a call with events for one receiver, without a subscriber in between. */
export function startEvents<T>(call: CallWithEvents<T>, sink: CallSink<CallEvent<T>>): Running {
  return (call as AwaitableEvents<T>).start(sink);
}

/**
 * Creates a call that fails with an error, after `subscribe` has returned like all calls.
 *
 * @stream call
 */
export function failedCall(error: unknown): Call<never> {
  return awaitableCall<never>((sink) => {
    let open = true;
    queueMicrotask(() => {
      if (open) sink.error(error);
    });
    return {
      cancel: () => {
        open = false;
      },
    };
  });
}

function subscriberOf<T>(start: StartCall<T>): (sink: CallSink<T>) => () => void {
  return (sink) => {
    const running = start(sink);
    return () => running.cancel();
  };
}

/** The value of {@link AwaitableCall.resultOf} for an event that is not the result. */
export const notResult = Symbol('rxmcp.notResult');

/** A stream whose result can be awaited. */
export class AwaitableCall<T, R> extends Observable<T> implements PromiseLike<R> {
  constructor(readonly start: StartCall<T>) {
    super(subscriberOf(start));
  }

  /** Returns the result that an emitted value holds. */
  resultOf(value: T): R | typeof notResult {
    return value as unknown as R;
  }

  then<A = R, B = never>(
    onFulfilled?: ((value: R) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    // Without a subscriber in between: the call itself keeps the order of its events.
    return new Promise<R>((resolve, reject) => {
      this.start(new ResultSink(this, resolve, reject));
    }).then(onFulfilled, onRejected);
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<R | B> {
    return this.then(undefined, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<R> {
    return this.then().finally(onFinally);
  }

  /** Says the fix to `for await`, in place of "is not async iterable". */
  [Symbol.asyncIterator](): never {
    throw new TypeError(
      'a call is not async iterable. Use `each`, as in for await (const event of each(call))',
    );
  }
}

// A class, because an object of closures makes an awaited call cost more than a subscribed one.
class ResultSink<T, R> implements CallSink<T> {
  constructor(
    private readonly call: AwaitableCall<T, R>,
    private readonly resolve: (result: R) => void,
    private readonly reject: (error: unknown) => void,
  ) {}

  next(value: T): void {
    const result = this.call.resultOf(value);
    if (result !== notResult) this.resolve(result);
  }

  error(error: unknown): void {
    this.reject(error);
  }

  complete(): void {
    // A call completes after its result.
  }
}

class AwaitableEvents<T> extends AwaitableCall<CallEvent<T>, T> {
  override resultOf(event: CallEvent<T>): T | typeof notResult {
    return event.type === 'result' ? event.result : notResult;
  }
}
