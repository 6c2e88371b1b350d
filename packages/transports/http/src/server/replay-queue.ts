import type { ByteBudget, HttpExchange } from '@rxmcp/transport/internal';
import type { StoredEvent } from './event-store.js';

/**
 * What a reader who came back is still owed, in order. The store may let go of it meanwhile, so what waits here counts
 * against what all such readers together may hold back.
 */
export class ReplayQueue {
  private at = 0;
  private held = 0;
  private isCounted = false;
  private readonly seen = new Set<string>();
  private readonly events: (StoredEvent | undefined)[];

  constructor(
    events: readonly StoredEvent[],
    private readonly budget: ByteBudget,
  ) {
    this.events = [...events];
  }

  /** Returns the next event, or `undefined` at the end. */
  next(): StoredEvent | undefined {
    while (this.at < this.events.length) {
      const event = this.events[this.at] as StoredEvent;
      this.events[this.at] = undefined;
      this.at += 1;
      if (this.isCounted) this.give(event.text.length);
      // A store may keep an event twice.
      if (this.seen.has(event.id)) continue;
      this.seen.add(event.id);
      if (event.text !== '') return event;
    }
    return undefined;
  }

  /** Nothing was ever in it. */
  get isEmpty(): boolean {
    return this.events.length === 0;
  }

  /** Adds what is new. False when too much waits for readers. */
  add(event: StoredEvent): boolean {
    this.events.push(event);
    return !this.isCounted || this.take(event.text.length);
  }

  /** Counts the replay towards the budget, since it waits for its reader. Returns false where the budget is exhausted. */
  wait(): boolean {
    if (this.isCounted) return true;
    this.isCounted = true;
    let length = 0;
    for (let at = this.at; at < this.events.length; at += 1) length += this.events[at]?.text.length ?? 0;
    return this.take(length);
  }

  /** Releases the replay, since its reader has disconnected. */
  drop(): void {
    this.budget.release(this.held);
    this.held = 0;
    this.at = this.events.length = 0;
  }

  private take(length: number): boolean {
    if (!this.budget.tryReserve(length)) return false;
    this.held += length;
    return true;
  }

  private give(length: number): void {
    const given = Math.min(length, this.held);
    this.held -= given;
    this.budget.release(given);
  }
}

const maxMissed = 256;
const maxMissedLength = 64 * 1024;

/** What was sent before a reader came who could ask for it: the latest few messages. */
export class RecentMessages {
  private texts: string[] = [];
  private length = 0;

  /** Keeps a message, and lets go of the oldest where there are too many. */
  add(text: string): void {
    this.texts.push(text);
    this.length += text.length;
    while (this.texts.length > maxMissed || (this.length > maxMissedLength && this.texts.length > 1)) {
      this.length -= this.texts.shift()?.length ?? 0;
    }
  }

  /** Gives what there is and forgets it. */
  take(): readonly string[] {
    const { texts } = this;
    this.texts = [];
    this.length = 0;
    return texts;
  }
}

/** What fits into the buffers of the system needs no watching, which would cost a timer per request. */
const watchedBytes = 64 * 1024;

/** Cuts an exchange that has ended when its reader leaves what is owed to it unread for so long. */
export function watchUnreadResponse(exchange: HttpExchange, writeTimeoutMs: number): void {
  if (exchange.queuedBytes > watchedBytes) exchange.stallsAfter(writeTimeoutMs);
}
