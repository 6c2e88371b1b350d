import { ChunkBuffer } from '../guard/chunk-buffer.js';
import type { BodyLimits, BodyProblem, BodyTaker, HttpExchange } from './exchange.js';

/** An exchange whose body a {@link BodyReader} reads. */
export interface BodySource extends HttpExchange {
  /**
   * The reader to release when the exchange has ended. An object and not a callback: with a callback, every request in the old
   * generation of the heap kept the next one alive until a full collection, which cost a third of the time per call.
   */
  reader: BodyReader | undefined;
  /** Stops reading. */
  stopReading(): void;
  /** The text of a whole body without a byte order mark; undefined where it is not UTF-8. */
  textOf(bytes: Uint8Array): string | undefined;
}

/** Reads the body of one request within limits. A body of one chunk is not copied. */
export class BodyReader {
  private readonly pieces = new ChunkBuffer();
  private isRead = false;
  private readonly alarm: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param declared The `Content-Length` of the request.
   * @param held Bytes that are already reserved in the budget.
   */
  private constructor(
    private readonly source: BodySource,
    private readonly limits: BodyLimits,
    private readonly taker: BodyTaker,
    private readonly declared: number | undefined,
    private held: number,
  ) {
    source.reader = this;
    const { withinMs } = limits;
    if (withinMs !== undefined) this.alarm = setTimeout(() => this.refuse('late'), withinMs);
  }

  /** Begins to read a body, or rejects it at once where its declared number of bytes exceeds a limit. */
  static begin(
    source: BodySource,
    limits: BodyLimits,
    taker: BodyTaker,
    declared: number | undefined,
  ): BodyReader | undefined {
    const bytes = declared ?? 0;
    const problem =
      bytes > limits.maxMessageBytes ? 'too-large' : limits.budget.tryReserve(bytes) ? undefined : 'no-room';
    if (problem === undefined) return new BodyReader(source, limits, taker, declared, bytes);
    taker.unreadable(source, problem);
    return undefined;
  }

  readonly chunk = (chunk: Uint8Array): void => {
    if (this.isRead) return;
    const size = this.pieces.byteLength + chunk.length;
    if (size > this.limits.maxMessageBytes) return this.refuse('too-large');
    // Node's parser reads no further than declared; other web servers may.
    if (size > (this.declared ?? size)) return this.refuse('broken');
    const more = size - this.held;
    if (more > 0) {
      if (!this.limits.budget.tryReserve(more)) return this.refuse('no-room');
      this.held = size;
    }
    this.pieces.append(chunk);
  };

  ended(): void {
    if (this.isRead) return;
    const { source, taker } = this;
    this.finish();
    const whole = this.pieces.toBytes();
    this.pieces.clear();
    const text = source.textOf(whole);
    if (!this.limits.untilAnswered) this.giveBack();
    if (text === undefined) taker.unreadable(source, 'not-utf-8');
    else taker.body(source, text);
  }

  refuse(problem: BodyProblem): void {
    if (this.isRead) return;
    this.finish();
    this.source.stopReading();
    this.pieces.clear();
    if (!this.limits.untilAnswered) this.giveBack();
    this.taker.unreadable(this.source, problem);
  }

  /** Releases everything, since the exchange has ended. */
  release(): void {
    this.giveBack();
    if (this.isRead) return;
    this.finish();
    this.pieces.clear();
    this.source.stopReading();
    this.taker.abandoned(this.source);
  }

  private finish(): void {
    this.isRead = true;
    clearTimeout(this.alarm);
  }

  private giveBack(): void {
    this.limits.budget.release(this.held);
    this.held = 0;
  }
}
