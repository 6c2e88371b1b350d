import type { Observable } from 'rxjs';
import { RxmcpError } from '../base/errors.js';
import { onAbort, abortReason } from '../base/on-abort.js';
import type { Subscribable } from '../contract/offer.js';
import { unhandled } from './fanout.js';

/** Options of {@link each}. */
export interface EachOptions {
  /** Values kept for a slow reader; beyond it the iteration fails with OVERFLOW. @default 1024 */
  readonly bufferSize?: number;
  /** Ends the iteration with its reason. */
  readonly signal?: AbortSignal;
}

/** The values of a stream as an async iterable. Leaving the loop unsubscribes, and so does `return()` while a value is awaited. */
export function each<T>(
  stream: Observable<T> | Subscribable<T>,
  options: EachOptions = {},
): AsyncGenerator<T, void, undefined> {
  return new Reading(stream as Subscribable<T>, options);
}

type Step<T> = IteratorResult<T, void>;

interface Reader<T> {
  resolve(step: Step<T>): void;
  reject(error: unknown): void;
}

// By hand, not a generator: there, `return()` waits for the `next()` before it, be it for ever.
class Reading<T> implements AsyncGenerator<T, void, undefined> {
  private readonly values: T[] = [];
  /** Those who wait for a value; there are no values then. */
  private readonly readers: Reader<T>[] = [];
  private begun = false;
  /** How the stream ended, until that is told. */
  private end: { readonly error?: unknown } | undefined = undefined;
  private isOver = false;
  private subscription: { unsubscribe(): void } | undefined = undefined;
  private forget: (() => void) | undefined = undefined;

  constructor(
    private readonly stream: Subscribable<T>,
    private readonly options: EachOptions,
  ) {}

  next(): Promise<Step<T>> {
    return new Promise((resolve, reject) => {
      if (!this.begun) this.begin();
      const { values, readers, end } = this;
      if (values.length > 0) resolve({ done: false, value: values.shift() as T });
      else if (this.isOver) resolve(done);
      else if (end === undefined) readers.push({ resolve, reject });
      else this.tell(end, { resolve, reject });
    });
  }

  async return(value?: void | PromiseLike<void>): Promise<Step<T>> {
    this.leave();
    return { done: true, value: await value };
  }

  throw(error: unknown): Promise<Step<T>> {
    return new Promise((_resolve, reject) => {
      reject(error as Error);
      this.leave();
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  private begin(): void {
    this.begun = true;
    const { bufferSize = 1_024, signal } = this.options;
    if (signal?.aborted === true) return this.finish({ error: abortReason(signal) });
    if (signal !== undefined) {
      this.forget = onAbort(signal, () => {
        this.values.length = 0;
        this.give({ error: abortReason(signal) });
      });
    }
    try {
      this.subscription = this.stream.subscribe({
        next: (value) => {
          if (this.end !== undefined || this.isOver) return;
          const reader = this.readers.shift();
          if (reader !== undefined) reader.resolve({ done: false, value });
          else if (this.values.length < bufferSize) this.values.push(value);
          else this.give({ error: new RxmcpError('OVERFLOW', `the reader is ${bufferSize} values behind`) });
        },
        error: (error) => this.finish({ error }),
        complete: () => this.finish({}),
      });
    } catch (error) {
      this.finish({ error });
    }
    // A stream that went wrong inside subscribe could not be left there.
    if (this.end !== undefined || this.isOver) this.unsubscribe();
  }

  // The reader may be busy for long: the stream is left now, not when the reader comes back.
  private give(end: { readonly error: unknown }): void {
    this.finish(end);
    this.unsubscribe();
  }

  private finish(end: { readonly error?: unknown }): void {
    if (this.end !== undefined || this.isOver) return;
    this.end = end;
    const reader = this.readers.shift();
    if (reader !== undefined) this.tell(end, reader);
  }

  // The end goes to one reader, and whoever reads on finds nothing.
  private tell(end: { readonly error?: unknown }, reader: Reader<T>): void {
    this.close();
    if ('error' in end) reader.reject(end.error);
    else reader.resolve(done);
    this.release();
    this.unsubscribe();
  }

  private leave(): void {
    this.begun = true;
    this.values.length = 0;
    this.close();
    this.release();
    this.subscription?.unsubscribe();
  }

  // The reader has its answer: what a teardown throws is none of it.
  private unsubscribe(): void {
    try {
      this.subscription?.unsubscribe();
    } catch (cause) {
      unhandled(cause);
    }
  }

  private close(): void {
    this.isOver = true;
    this.forget?.();
  }

  private release(): void {
    for (const reader of this.readers.splice(0)) reader.resolve(done);
  }
}

const done: Step<never> = Object.freeze({ done: true, value: undefined });
