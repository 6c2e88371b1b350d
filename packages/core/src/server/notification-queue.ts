import type { Lane, OutgoingMessage } from '@rxmcp/transport';
import type { Meter } from '../contract/stats.js';
import type { BacklogWriter } from '../peer/backlog-writer.js';

/** The change notifications of one connection. While the reader of a lane is slow, only the latest per key waits. */
export class NotificationQueue {
  #held: Map<Lane | undefined, Map<string, OutgoingMessage>> | undefined = undefined;

  constructor(
    private readonly writer: BacklogWriter,
    private readonly meter: Meter | undefined = undefined,
  ) {}

  send(key: string, text: OutgoingMessage, lane: Lane | undefined): void {
    if (!this.writer.saturated(lane)) {
      void this.writer.send(text, lane === undefined ? undefined : { lane });
      return;
    }
    this.#held ??= new Map();
    let waiting = this.#held.get(lane);
    if (waiting === undefined) {
      waiting = new Map();
      this.#held.set(lane, waiting);
      this.writer.onDrain(lane, () => this.#flush(lane));
    }
    if (this.meter !== undefined && waiting.has(key)) this.meter.dropped('notifications');
    waiting.set(key, text);
  }

  /** Drops what waits with a key. */
  drop(key: string, lane: Lane | undefined): void {
    this.#held?.get(lane)?.delete(key);
  }

  /** Drops what waits with keys that have this prefix. */
  forget(prefix: string, lane: Lane | undefined): void {
    const waiting = this.#held?.get(lane);
    for (const key of waiting?.keys() ?? []) if (key.startsWith(prefix)) waiting?.delete(key);
  }

  #flush(lane: Lane | undefined): void {
    const due = this.#held?.get(lane);
    this.#held?.delete(lane);
    for (const text of due?.values() ?? [])
      void this.writer.send(text, lane === undefined ? undefined : { lane });
  }
}
