import type { MemoryBudget, Traits } from '@rxmcp/transport';
import { HeldBytes } from '@rxmcp/transport/internal';
import type { StoredEvent } from './event-store.js';

/** What a reader who came back is still owed, in order. The store may remove it meanwhile, so its reader is charged for it. */
export class ReplayQueue {
  /** How many characters wait. */
  chars = 0;
  #at = 0;
  readonly #seen = new Set<string>();
  readonly #events: (StoredEvent | undefined)[];

  constructor(events: readonly StoredEvent[]) {
    this.#events = [...events];
    for (const { text } of events) this.chars += text.length;
  }

  /** Returns the next event, or `undefined` at the end. */
  next(): StoredEvent | undefined {
    while (this.#at < this.#events.length) {
      const event = this.#events[this.#at] as StoredEvent;
      this.#events[this.#at] = undefined;
      this.#at += 1;
      this.chars -= event.text.length;
      // A store may keep an event twice.
      if (this.#seen.has(event.id)) continue;
      this.#seen.add(event.id);
      if (event.text !== '') return event;
    }
    return undefined;
  }

  /** Nothing was ever in it. */
  get isEmpty(): boolean {
    return this.#events.length === 0;
  }

  /** Adds what is new. */
  add(event: StoredEvent): void {
    this.#events.push(event);
    this.chars += event.text.length;
  }

  /** Removes everything, since its reader has disconnected. */
  drop(): void {
    this.chars = this.#at = this.#events.length = 0;
  }
}

const maxMissed = 256;
const maxMissedLength = 64 * 1024;

/** What was sent before a reader came who could ask for it: the latest few messages. */
export class RecentMessages {
  #texts: string[] = [];
  #length = 0;

  readonly #held: HeldBytes;

  constructor(memory: MemoryBudget, { holder = '' }: Pick<Traits, 'holder'>) {
    this.#held = new HeldBytes(memory, holder);
  }

  /** Keeps a message, and lets go of the oldest where there are too many or the memory of the caller does not suffice. */
  add(text: string): void {
    this.#texts.push(text);
    this.#length += text.length;
    while (
      this.#texts.length > maxMissed ||
      (this.#length > maxMissedLength && this.#texts.length > 1) ||
      !this.#held.resize(this.#length)
    ) {
      this.#length -= this.#texts.shift()?.length ?? 0;
    }
  }

  /** Gives what there is and forgets it. */
  take(): readonly string[] {
    const texts = this.#texts;
    this.#texts = [];
    this.#length = 0;
    this.#held.resize(0);
    return texts;
  }
}
