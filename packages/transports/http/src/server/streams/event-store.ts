import { heapLimit, rejectUnknownOptions } from '@rxmcp/transport/internal';
import { SizeClasses, type Sized } from './size-classes.js';

/**
 * Stores the SSE events of streams, so that a client can resume a stream with `Last-Event-ID` after its connection was lost. Sessions
 * of the legacy era use it; the modern era has no resumable streams. MCP 2025-11-25, basic, transports, resumability and redelivery.
 */
export interface EventStore {
  /**
   * Stores an event and returns its id, which identifies both the stream and the position in it. The id must not contain a line
   * end or a NUL. A text may be empty. `caller` names who receives the stream, the same for each event of it: its
   * principal, or the address of an anonymous one. If it throws or rejects, the stream ends, but not its session.
   */
  append(streamId: string, text: string, caller?: string): string | Promise<string>;
  /** Returns the events of the same stream after that event, in order; `undefined` for an id that is unknown or no longer stored. */
  readAfter(id: string): EventReplay | undefined | Promise<EventReplay | undefined>;
  /** Deletes the events of a stream that can no longer be resumed. Must not throw. */
  deleteStream(streamId: string): void;
}

/** The events of a stream to send again after one that a client received: the result of {@link EventStore.readAfter}. */
export interface EventReplay {
  /** The `streamId` with which these events were appended. */
  readonly streamId: string;
  /** The events, the oldest first. */
  readonly events: readonly StoredEvent[];
}

/** One stored event of an {@link EventReplay}. */
export interface StoredEvent {
  /** The `id` field of the SSE event, as `append` returned it. */
  readonly id: string;
  /** The `data` field of the SSE event: a JSON-RPC message, or empty. */
  readonly text: string;
}

/** Options of {@link memoryEventStore}. */
export interface MemoryEventStoreOptions {
  /** How many events of one stream are stored; the oldest are removed first. @default 1024 */
  readonly maxEventsPerStream?: number;
  /** How many characters of one stream are stored. @default 4194304 */
  readonly maxCharactersPerStream?: number;
  /**
   * How many characters of all streams are stored; each event counts 64 in addition. Over it the caller that stores most loses
   * events, those of its oldest stream first. @default 67108864, where the heap is known at most an eighth of it at two bytes each
   */
  readonly maxTotalCharacters?: number;
}

const knownOptions: Record<keyof MemoryEventStoreOptions, true> = {
  maxEventsPerStream: true,
  maxCharactersPerStream: true,
  maxTotalCharacters: true,
};

/** The events of one stream. */
interface Kept {
  /** Looked up again by the next event where no event is stored. */
  holder: Holder;
  /** The number of the first event that is kept. */
  first: number;
  characters: number;
  readonly texts: string[];
}

/** A caller, and what is stored for it. */
interface Holder extends Sized {
  readonly name: string;
  /** The characters of its events, with what is counted for each event. */
  size: number;
  /** Its streams with stored events, the oldest first. */
  readonly streams: Set<Kept>;
}

const longestId = 256;
/** What one event takes besides its text, in characters. */
const eventCharacters = 64;

/** Creates an event store in the memory of this process. Over a limit it removes the oldest events. */
export function memoryEventStore(options: MemoryEventStoreOptions = {}): EventStore {
  rejectUnknownOptions('memoryEventStore', options, knownOptions, {
    maxBytes: 'maxCharactersPerStream',
  });
  const store = new MemoryEvents(options);
  // Own members, so that applications can wrap the store with a spread.
  return {
    append: (stream, text, holder) => store.append(stream, text, holder),
    readAfter: (id) => store.readAfter(id),
    deleteStream: (stream) => store.deleteStream(stream),
  };
}

/** The most characters by default, each of up to two bytes. */
function defaultTotalCharacters(): number {
  return Math.min(64 * 1024 * 1024, Math.floor(heapLimit() / 8 / 2) || Infinity);
}

class MemoryEvents implements EventStore {
  readonly #maxEvents: number;
  readonly #maxCharacters: number;
  readonly #maxTotal: number;
  readonly #streams = new Map<string, Kept>();
  readonly #holders = new Map<string, Holder>();
  readonly #bySize: SizeClasses<Holder>;
  #total = 0;

  constructor({
    maxEventsPerStream = 1_024,
    maxCharactersPerStream = 4 * 1024 * 1024,
    maxTotalCharacters = defaultTotalCharacters(),
  }: MemoryEventStoreOptions) {
    this.#maxEvents = maxEventsPerStream;
    this.#maxCharacters = maxCharactersPerStream;
    this.#maxTotal = maxTotalCharacters;
    this.#bySize = new SizeClasses(maxTotalCharacters);
  }

  append(streamId: string, text: string, holder = ''): string {
    const kept = this.#keptOf(streamId, holder);
    this.#count(kept, text.length, eventCharacters);
    // Before the event is added: it is stored whatever its size.
    this.#makeRoom(kept);
    kept.texts.push(text);
    kept.holder.streams.add(kept);
    return `${streamId}-${String(kept.first + kept.texts.length - 1)}`;
  }

  readAfter(id: string): EventReplay | undefined {
    if (id.length > longestId) return undefined;
    const [, streamId, number] = /^(.+)-([1-9]\d{0,14})$/.exec(id) ?? [];
    const kept = streamId === undefined ? undefined : this.#streams.get(streamId);
    if (streamId === undefined || kept === undefined) return undefined;
    // The id before the first stored event is still a valid position.
    const from = Number(number) + 1 - kept.first;
    if (from < 0 || from > kept.texts.length) return undefined;
    const events = kept.texts.slice(from).map((text, index) => ({
      id: `${streamId}-${String(kept.first + from + index)}`,
      text,
    }));
    return { streamId, events };
  }

  deleteStream(streamId: string): void {
    const kept = this.#streams.get(streamId);
    if (kept === undefined) return;
    this.#streams.delete(streamId);
    // Its holder may have been forgotten, and created again since.
    if (kept.texts.length === 0) return;
    kept.holder.streams.delete(kept);
    this.#count(kept, -kept.characters, -kept.texts.length * eventCharacters);
  }

  #keptOf(stream: string, holder: string): Kept {
    let kept = this.#streams.get(stream);
    if (kept === undefined) {
      kept = { holder: this.#holderOf(holder), first: 1, characters: 0, texts: [] };
      this.#streams.set(stream, kept);
    } else if (kept.texts.length === 0) kept.holder = this.#holderOf(holder);
    return kept;
  }

  #holderOf(name: string): Holder {
    let holder = this.#holders.get(name);
    if (holder === undefined) {
      holder = { name, size: 0, sizeClass: -1, streams: new Set() };
      this.#holders.set(name, holder);
    }
    return holder;
  }

  #makeRoom(latest: Kept): void {
    const { texts, holder } = latest;
    const isFull = (): boolean => texts.length >= this.#maxEvents || latest.characters > this.#maxCharacters;
    while (texts.length > 0 && isFull()) this.#dropFirst(latest);
    while (this.#total > this.#maxTotal) {
      const largest = this.#bySize.largest();
      if (largest === undefined) break;
      const [oldest] = largest.streams;
      if (oldest !== undefined) this.#dropFirst(oldest);
      // It has only the new event, so that the next largest one loses events.
      else this.#bySize.remove(largest);
    }
    this.#bySize.sort(holder);
  }

  #dropFirst(kept: Kept): void {
    const text = kept.texts.shift() ?? '';
    kept.first += 1;
    if (kept.texts.length === 0) kept.holder.streams.delete(kept);
    this.#count(kept, -text.length, -eventCharacters);
  }

  /** Adds to what is counted of a stream, its holder and all. */
  #count(kept: Kept, characters: number, more: number): void {
    const { holder } = kept;
    kept.characters += characters;
    holder.size += characters + more;
    this.#total += characters + more;
    this.#bySize.sort(holder);
    // A holder without events is created again by its next event.
    if (holder.size === 0) this.#holders.delete(holder.name);
  }
}
