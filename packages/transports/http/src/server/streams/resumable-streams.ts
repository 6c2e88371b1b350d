import type { EventStream } from './event-stream.js';
import type { EventStore } from './event-store.js';

/** How many streams of one session can be asked for again, and of all sessions together. */
const [mostOfOne, mostOfAll] = [1_024, 65_536];

/** How many streams are kept under one URL. */
export interface ResumableStreamCount {
  streams: number;
}

/**
 * The streams of one session that can be resumed, by name. Ended streams count as well, as long as a client may resume them; where
 * there are too many, the oldest is removed.
 */
export class ResumableStreams {
  private readonly byName = new Map<string, EventStream>();

  constructor(
    private readonly store: EventStore,
    private readonly all: ResumableStreamCount,
  ) {}

  get(name: string): EventStream | undefined {
    return this.byName.get(name);
  }

  /** Whether one more can be kept; what is over makes room for it. */
  hasRoom(): boolean {
    if (this.byName.size < mostOfOne && this.all.streams < mostOfAll) return true;
    for (const [name, { finished }] of this.byName) {
      if (!finished) continue;
      this.drop(name);
      return this.all.streams < mostOfAll;
    }
    return false;
  }

  add(name: string, stream: EventStream): void {
    if (!this.byName.has(name)) this.all.streams += 1;
    this.byName.set(name, stream);
  }

  /** Lets those go that were over at that tick already. */
  forgetOver(tick: number): void {
    for (const [name, stream] of this.byName) {
      if (stream.finished && stream.lastTick <= tick) this.drop(name);
    }
  }

  /** Ends and forgets all. */
  stop(): void {
    for (const [name, stream] of this.byName) {
      stream.lane?.drop(() => undefined);
      stream.stop();
      this.drop(name);
    }
  }

  private drop(name: string): void {
    this.byName.delete(name);
    this.all.streams -= 1;
    this.store.deleteStream(name);
  }
}
