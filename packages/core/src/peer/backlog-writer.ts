import type { Lane, OutgoingMessage, TransportError } from '@rxmcp/transport';
import { Writer } from './writer.js';

/**
 * A writer that knows whether its peer keeps up. Each lane is a stream of its own, and so is what has none: who does not read one of
 * them holds up no other. A client that answers nothing does not bundle it.
 */
export class BacklogWriter extends Writer {
  /** Gives the size of what waits, in characters; undefined = no size is asked for. */
  measure: ((out: OutgoingMessage) => number) | undefined = undefined;
  private standing: Backlog | undefined = undefined;
  /** The lanes on which something waits. */
  private lanes: Map<Lane, Backlog> | undefined = undefined;

  /** True while the carrier has not taken all that was sent on a lane, or on none: what may be conflated should be. */
  saturated(lane: Lane | undefined): boolean {
    return this.backlog(lane)?.isEmpty === false;
  }

  /** How many messages the carrier has not taken yet, on a lane or on none. */
  waiting(lane: Lane | undefined): number {
    return this.backlog(lane)?.size ?? 0;
  }

  /** How many characters these messages have, where they are measured. */
  waitingChars(lane: Lane | undefined): number {
    return this.backlog(lane)?.chars ?? 0;
  }

  /** Calls back once when the carrier has taken everything of a saturated lane, or of none. */
  onDrain(lane: Lane | undefined, callback: () => void): void {
    this.backlog(lane)?.onDrain(callback);
  }

  /** Forgets a callback of {@link onDrain}. */
  offDrain(lane: Lane | undefined, callback: () => void): void {
    this.backlog(lane)?.offDrain(callback);
  }

  protected override wait(
    taken: Promise<void>,
    out: OutgoingMessage,
    lane: Lane | undefined,
    failed: ((error: TransportError) => void) | undefined,
  ): Promise<void> {
    const backlog = this.backlog(lane) ?? this.begin(lane);
    const chars = this.measure?.(out) ?? 0;
    backlog.chars += chars;
    backlog.add();
    const settled = (): void => {
      backlog.chars -= chars;
      backlog.settle();
      // What the end of the wait set off may have made it wait again.
      if (lane !== undefined && backlog.isEmpty && this.lanes?.get(lane) === backlog) this.lanes.delete(lane);
    };
    return taken.then(settled, (cause: unknown) => {
      settled();
      this.failed(cause, out, failed);
    });
  }

  private backlog(lane: Lane | undefined): Backlog | undefined {
    return lane === undefined ? this.standing : this.lanes?.get(lane);
  }

  private begin(lane: Lane | undefined): Backlog {
    const backlog = new Backlog();
    if (lane === undefined) this.standing = backlog;
    else (this.lanes ??= new Map()).set(lane, backlog);
    return backlog;
  }
}

/** What was sent on one stream of a connection and not taken yet. */
class Backlog {
  /** How many characters wait, where they are measured. */
  chars = 0;
  private waiting = 0;
  private drained: Set<() => void> | undefined = undefined;

  get isEmpty(): boolean {
    return this.waiting === 0;
  }

  get size(): number {
    return this.waiting;
  }

  /** One more that waits. */
  add(): void {
    this.waiting += 1;
  }

  /** One less; with the last one everybody who waits for that is called back, once. */
  settle(): void {
    this.waiting -= 1;
    const { drained } = this;
    if (this.waiting > 0 || drained === undefined) return;
    this.drained = undefined;
    for (const callback of drained) callback();
  }

  onDrain(callback: () => void): void {
    (this.drained ??= new Set()).add(callback);
  }

  offDrain(callback: () => void): void {
    this.drained?.delete(callback);
  }
}
