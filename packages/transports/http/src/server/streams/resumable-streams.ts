import { type MemoryBudget } from '@rxmcp/transport';
import { Shares } from '@rxmcp/transport/internal';
import type { EventStream } from './event-stream.js';
import type { EventStore } from './event-store.js';

/** How many streams of one session can be asked for again, and of all sessions together. */
const [mostOfOne, mostOfAll] = [1_024, 65_536];
/** What a stream takes that has ended, in bytes, without its events. */
const streamBytes = 1_024;
/** The part of the memory budget that these streams may take. */
const maxPart = 1 / 8;

/** The places for streams that are kept under one URL. Each is charged to its holder, which alone may have half of them. */
export class StreamPlaces {
  readonly #shares: Shares;

  constructor(private readonly memory: MemoryBudget) {
    this.#shares = new Shares(Math.min(mostOfAll, Math.ceil((memory.maxBytes * maxPart) / streamBytes)));
  }

  /** Takes a place. Returns false where this holder has as many as it may. */
  take(holder: string): boolean {
    if (!this.#shares.tryAdd(holder)) return false;
    if (this.memory.tryCharge(holder, streamBytes)) return true;
    this.#shares.remove(holder);
    return false;
  }

  /** Gives a place back. */
  release(holder: string): void {
    this.#shares.remove(holder);
    this.memory.release(holder, streamBytes);
  }
}

/**
 * The streams of one session that can be resumed, by name. Ended streams count as well, as long as a client may resume them; where
 * there are too many, the oldest is removed.
 */
export class ResumableStreams {
  readonly #byName = new Map<string, EventStream>();

  constructor(
    private readonly store: EventStore,
    private readonly places: StreamPlaces,
    private readonly holder: string,
  ) {}

  get(name: string): EventStream | undefined {
    return this.#byName.get(name);
  }

  /** Takes a place for one more. Otherwise the oldest that has ended makes room for it. */
  reserve(): boolean {
    if (this.#byName.size < mostOfOne && this.places.take(this.holder)) return true;
    for (const [name, { finished }] of this.#byName) {
      if (!finished) continue;
      this.#drop(name);
      return this.places.take(this.holder);
    }
    return false;
  }

  /** Adds a stream for which a place was reserved. */
  add(name: string, stream: EventStream): void {
    this.#byName.set(name, stream);
  }

  /** Lets those go that were over at that tick already. */
  forgetOver(tick: number): void {
    for (const [name, stream] of this.#byName) {
      if (stream.finished && stream.lastTick <= tick) this.#drop(name);
    }
  }

  /** Ends and forgets all. */
  stop(): void {
    for (const [name, stream] of this.#byName) {
      stream.lane?.drop(() => undefined);
      stream.stop();
      this.#drop(name);
    }
  }

  #drop(name: string): void {
    this.#byName.delete(name);
    this.places.release(this.holder);
    this.store.deleteStream(name);
  }
}
