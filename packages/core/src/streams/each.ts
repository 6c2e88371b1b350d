import { processMemory } from '@rxmcp/transport';
import { connectionHolder, HeldBytes, onAbort } from '@rxmcp/transport/internal';
import type { Observable } from 'rxjs';
import { abortReason } from '../base/abort-reason.js';
import { RxmcpError } from '../base/errors.js';
import { estimateBytes, memoryOf } from '../base/json-size.js';
import type { Subscribable } from '../contract/offer.js';
import { unhandled } from './fanout.js';

/** Configures {@link each}. */
export interface EachOptions {
  /** The number of values kept for a slow reader. Beyond it, or a share of the memory of the process, the iteration fails with OVERFLOW. @default 1024 */
  readonly bufferSize?: number;
  /** Ends the iteration with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/**
 * Converts an Observable to an async iterable, for `for await (const value of each(stream))`. Leaving the loop unsubscribes,
 * and so does `return()` while a value is awaited.
 * @throws RxmcpError `OVERFLOW` when more than `bufferSize` values wait for the reader, or too large ones
 * @example
 * for await (const event of each(tools(remote).events('count'))) {
 *   if (event.type === 'progress') console.log(event.progress);
 * }
 */
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

/** The most bytes of one value that are counted: about as many small values as a message may have. */
const maxValueBytes = 8 * 1024 * 1024;

/** The values that wait for a reader, and what is charged for them. */
class WaitingValues<T> {
  readonly #values: T[] = [];
  readonly #sizes: number[] = [];
  #held: HeldBytes | undefined = undefined;

  get length(): number {
    return this.#values.length;
  }

  /** Adds a value. Returns false where the memory does not suffice. */
  add(value: T): boolean {
    if (this.#held === undefined) {
      this.#held = new HeldBytes(processMemory(), connectionHolder());
      forgotten.register(this, this.#held);
    }
    const size = memoryOf(estimateBytes(value, maxValueBytes));
    if (!this.#held.grow(size)) return false;
    this.#values.push(value);
    this.#sizes.push(size);
    return true;
  }

  take(): T {
    this.#held?.grow(-(this.#sizes.shift() as number));
    return this.#values.shift() as T;
  }

  clear(): void {
    this.#values.length = this.#sizes.length = 0;
    this.#held?.resize(0);
  }
}

/** Releases what was charged for iterations that were neither read to their end nor left. */
const forgotten = new FinalizationRegistry<HeldBytes>((held) => void held.resize(0));

// Not a generator, because its `return()` would wait for a pending `next()`, possibly for ever.
class Reading<T> implements AsyncGenerator<T, void, undefined> {
  readonly #values = new WaitingValues<T>();
  /** The readers that wait for a value. Empty while values wait. */
  readonly #readers: Reader<T>[] = [];
  #begun = false;
  /** How the stream ended, until a reader receives that. */
  #end: { readonly error?: unknown } | undefined = undefined;
  #isOver = false;
  #subscription: { unsubscribe(): void } | undefined = undefined;
  #forget: (() => void) | undefined = undefined;

  constructor(
    private readonly stream: Subscribable<T>,
    private readonly options: EachOptions,
  ) {}

  next(): Promise<Step<T>> {
    return new Promise((resolve, reject) => {
      if (!this.#begun) this.#begin();
      const values = this.#values;
      const readers = this.#readers;
      const end = this.#end;
      if (values.length > 0) resolve({ done: false, value: values.take() });
      else if (this.#isOver) resolve(done);
      else if (end === undefined) readers.push({ resolve, reject });
      else this.#deliverEnd(end, { resolve, reject });
    });
  }

  async return(value?: void | PromiseLike<void>): Promise<Step<T>> {
    this.#leave();
    return { done: true, value: await value };
  }

  throw(error: unknown): Promise<Step<T>> {
    return new Promise((_resolve, reject) => {
      reject(error as Error);
      this.#leave();
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  #begin(): void {
    this.#begun = true;
    const { bufferSize = 1_024, signal } = this.options;
    if (signal?.aborted === true) return this.#finish({ error: abortReason(signal) });
    if (signal !== undefined) {
      this.#forget = onAbort(signal, () => {
        this.#values.clear();
        this.#give({ error: abortReason(signal) });
      });
    }
    try {
      this.#subscription = this.stream.subscribe({
        next: (value) => {
          if (this.#end !== undefined || this.#isOver) return;
          const reader = this.#readers.shift();
          if (reader !== undefined) reader.resolve({ done: false, value });
          else if (this.#values.length >= bufferSize)
            this.#give({
              error: new RxmcpError('OVERFLOW', `more than ${bufferSize} values wait ("bufferSize")`),
            });
          else if (!this.#values.add(value)) this.#give({ error: new RxmcpError('OVERFLOW', tooLarge) });
        },
        error: (error) => this.#finish({ error }),
        complete: () => this.#finish({}),
      });
    } catch (error) {
      this.#finish({ error });
    }
    // A stream that failed inside `subscribe` had no subscription to end yet.
    if (this.#end !== undefined || this.#isOver) this.#unsubscribe();
  }

  // Unsubscribes at once, because the reader may be busy for a long time.
  #give(end: { readonly error: unknown }): void {
    this.#finish(end);
    this.#unsubscribe();
  }

  #finish(end: { readonly error?: unknown }): void {
    if (this.#end !== undefined || this.#isOver) return;
    this.#end = end;
    const reader = this.#readers.shift();
    if (reader !== undefined) this.#deliverEnd(end, reader);
  }

  // One reader receives the end. Later reads find nothing.
  #deliverEnd(end: { readonly error?: unknown }, reader: Reader<T>): void {
    this.#close();
    if ('error' in end) reader.reject(end.error);
    else reader.resolve(done);
    this.#release();
    this.#unsubscribe();
  }

  #leave(): void {
    this.#begun = true;
    this.#values.clear();
    this.#close();
    this.#release();
    this.#subscription?.unsubscribe();
  }

  // The reader has its end. An error of the teardown is not part of it.
  #unsubscribe(): void {
    try {
      this.#subscription?.unsubscribe();
    } catch (cause) {
      unhandled(cause);
    }
  }

  #close(): void {
    this.#isOver = true;
    this.#forget?.();
  }

  #release(): void {
    for (const reader of this.#readers.splice(0)) reader.resolve(done);
  }
}

const tooLarge =
  'the values that wait for the reader take too much memory. Read faster, or give the process a larger heap';

const done: Step<never> = Object.freeze({ done: true, value: undefined });
