import { type MemoryBudget, TransportError } from '@rxmcp/transport';
import { utf8Bytes } from '@rxmcp/transport/internal';
import type { StoredEvent } from './event-store.js';
import type { StreamResumption } from './stream-host.js';

/** What an event that waits takes besides its text, in bytes: its promises and closures. */
const eventBytes = 512;

/** What becomes of an event that is appended. */
export interface Appended {
  /** It is stored under this id. */
  deliver(id: string, text: string): Promise<void>;
  /** It is not stored. */
  failed(cause: unknown): Promise<void>;
}

/**
 * Appends the events of one stream to its store, one after another, and holds them back while a replay is read. The caller is
 * charged for events that wait for the store or the replay.
 */
export class StoreQueue {
  /** What is being stored; later events wait for it. */
  #tail: Promise<void> | undefined = undefined;
  /** While a replay is being read, what is new waits here. */
  #fresh: StoredEvent[] | undefined = undefined;
  #freshBytes = 0;

  constructor(
    private readonly memory: MemoryBudget,
    private readonly resumption: StreamResumption,
  ) {}

  /** Stores first, so that what a client saw can be asked for again. */
  append(text: string, appended: Appended): Promise<void> {
    const { store, name, holder } = this.resumption;
    try {
      if (this.#tail !== undefined) {
        const bytes = this.#charge(text);
        return this.#storing(
          this.#tail.then(() => store.append(name, text, holder)),
          text,
          bytes,
          appended,
        );
      }
      const id = store.append(name, text, holder);
      if (typeof id === 'string') return appended.deliver(id, text);
      // Its outcome is of no interest once the stream has ended.
      id.catch(() => undefined);
      return this.#storing(id, text, this.#charge(text), appended);
    } catch (cause) {
      return appended.failed(cause);
    }
  }

  /** Calls back once all events are stored: at once where none waits. */
  settled(callback: () => void): void {
    if (this.#tail === undefined) callback();
    else this.#tail = this.#tail.then(callback);
  }

  /** What is new is held back from now on, until {@link takeFresh}. */
  hold(): void {
    this.#fresh ??= [];
  }

  /** Returns whether events are held back. */
  get isHolding(): boolean {
    return this.#fresh !== undefined;
  }

  /** Holds an event back. Throws a TransportError where the memory of the caller does not suffice. */
  keepFresh(event: StoredEvent): void {
    this.#freshBytes += this.#charge(event.text);
    this.#fresh?.push(event);
  }

  /** Returns what was held back; nothing is from now on. */
  takeFresh(): readonly StoredEvent[] {
    const fresh = this.#fresh ?? [];
    const freshBytes = this.#freshBytes;
    this.#fresh = undefined;
    this.#freshBytes = 0;
    this.#release(freshBytes);
    return fresh;
  }

  #storing(id: Promise<string>, text: string, bytes: number, appended: Appended): Promise<void> {
    let written: Promise<void> | undefined;
    const stored = id.then(
      (known) => {
        this.#release(bytes);
        written = appended.deliver(known, text);
      },
      (cause: unknown) => {
        this.#release(bytes);
        throw cause;
      },
    );
    // The next event waits for the store, not for the reader.
    const tail: Promise<void> = stored
      .catch(() => undefined)
      .then(() => {
        if (this.#tail === tail) this.#tail = undefined;
      });
    this.#tail = tail;
    return stored.then(
      () => written,
      (cause: unknown) => appended.failed(cause),
    );
  }

  #charge(text: string): number {
    const bytes = eventBytes + utf8Bytes(text);
    const { holder } = this.resumption;
    if (!this.memory.tryCharge(holder, bytes)) {
      const why = `the messages of ${holder} that wait for the event store take too much of "memory"`;
      throw new TransportError('OVERFLOW', `${why}; use a faster store, or raise its "maxBytes"`);
    }
    return bytes;
  }

  #release(bytes: number): void {
    this.memory.release(this.resumption.holder, bytes);
  }
}
