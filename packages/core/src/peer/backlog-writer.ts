import type { Lane, OutgoingMessage, TransportError } from '@rxmcp/transport';
import { Writer } from './writer.js';

/**
 * A writer that knows whether its peer keeps up. Each lane has its own backlog, and so have messages without a
 * lane, so that a reader that is slow on one lane delays no other. Clients without offers that handle requests do
 * not bundle it.
 */
export class BacklogWriter extends Writer {
  /** Returns the size of a waiting message in characters; undefined if sizes are not needed. */
  measure: ((out: OutgoingMessage) => number) | undefined = undefined;
  #standing: Backlog | undefined = undefined;
  /** The lanes with waiting messages. */
  #lanes: Map<Lane, Backlog> | undefined = undefined;

  /** Whether the transport has not accepted everything that was sent on a lane. New messages should then be conflated. */
  saturated(lane: Lane | undefined): boolean {
    return this.#backlog(lane)?.isEmpty === false;
  }

  /** The number of messages on a lane that the transport has not accepted. */
  waiting(lane: Lane | undefined): number {
    return this.#backlog(lane)?.size ?? 0;
  }

  /** The number of characters of these messages, if they are measured. */
  waitingChars(lane: Lane | undefined): number {
    return this.#backlog(lane)?.chars ?? 0;
  }

  /** Calls back once when the transport has accepted everything of a saturated lane. */
  onDrain(lane: Lane | undefined, callback: () => void): void {
    this.#backlog(lane)?.onDrain(callback);
  }

  /** Removes a callback of {@link onDrain}. */
  offDrain(lane: Lane | undefined, callback: () => void): void {
    this.#backlog(lane)?.offDrain(callback);
  }

  protected override wait(
    taken: Promise<void>,
    out: OutgoingMessage,
    lane: Lane | undefined,
    failed: ((error: TransportError) => void) | undefined,
  ): Promise<void> {
    const backlog = this.#backlog(lane) ?? this.#begin(lane);
    const chars = this.measure?.(out) ?? 0;
    backlog.chars += chars;
    backlog.add();
    const report = this.reporter(out, failed);
    const settled = (): void => {
      backlog.chars -= chars;
      backlog.settle();
      // A callback may have sent more.
      if (lane !== undefined && backlog.isEmpty && this.#lanes?.get(lane) === backlog)
        this.#lanes.delete(lane);
    };
    return taken.then(settled, (cause: unknown) => {
      settled();
      report(cause);
    });
  }

  #backlog(lane: Lane | undefined): Backlog | undefined {
    return lane === undefined ? this.#standing : this.#lanes?.get(lane);
  }

  #begin(lane: Lane | undefined): Backlog {
    const backlog = new Backlog();
    if (lane === undefined) this.#standing = backlog;
    else (this.#lanes ??= new Map()).set(lane, backlog);
    return backlog;
  }
}

/** The messages on one lane that the transport has not accepted. */
class Backlog {
  /** The number of waiting characters, if they are measured. */
  chars = 0;
  #waiting = 0;
  #drained: Set<() => void> | undefined = undefined;

  get isEmpty(): boolean {
    return this.#waiting === 0;
  }

  get size(): number {
    return this.#waiting;
  }

  /** Counts one more waiting message. */
  add(): void {
    this.#waiting += 1;
  }

  /** Counts one message less. After the last one, calls all callbacks once. */
  settle(): void {
    this.#waiting -= 1;
    const drained = this.#drained;
    if (this.#waiting > 0 || drained === undefined) return;
    this.#drained = undefined;
    for (const callback of drained) callback();
  }

  onDrain(callback: () => void): void {
    (this.#drained ??= new Set()).add(callback);
  }

  offDrain(callback: () => void): void {
    this.#drained?.delete(callback);
  }
}
