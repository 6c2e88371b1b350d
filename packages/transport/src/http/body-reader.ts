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

/** A body of at most so many bytes that arrives in one piece is not charged. */
const uncharged = 64 * 1024;
/** A body without a declared length that has come in so many chunks must have so many bytes in each of them on average. */
const manyChunks = 1_024;
const leastChunkBytes = 16;

/** Reads the body of one request within limits. A body of one chunk is not copied. */
export class BodyReader {
  private readonly pieces = new ChunkBuffer();
  private isRead = false;
  /** What arrived is charged to `holder`, found for the first charge. */
  private holder = '';
  private held = 0;
  private chunks = 0;
  private readonly alarm: ReturnType<typeof setTimeout> | undefined;

  /** @param declared The `Content-Length` of the request. */
  private constructor(
    private readonly source: BodySource,
    private readonly limits: BodyLimits,
    private readonly taker: BodyTaker,
    private readonly declared: number | undefined,
  ) {
    source.reader = this;
    const { withinMs } = limits;
    if (withinMs !== undefined) this.alarm = setTimeout(() => this.reject('late'), withinMs);
  }

  /** Begins to read a body, or rejects it at once where its declared number of bytes exceeds a limit. */
  static begin(
    source: BodySource,
    limits: BodyLimits,
    taker: BodyTaker,
    declared: number | undefined,
  ): BodyReader | undefined {
    if ((declared ?? 0) <= limits.maxMessageBytes) return new BodyReader(source, limits, taker, declared);
    taker.unreadable(source, 'too-large');
    return undefined;
  }

  readonly chunk = (chunk: Uint8Array): void => {
    if (this.isRead) return;
    const size = this.pieces.byteLength + chunk.length;
    if (size > this.limits.maxMessageBytes) return this.reject('too-large');
    if (this.declared === undefined) {
      this.chunks += 1;
      if (this.chunks >= manyChunks && size < this.chunks * leastChunkBytes)
        return this.reject('tiny-chunks');
    }
    // Node's parser reads no further than declared; other web servers may.
    else if (size > this.declared) return this.reject('broken');
    // A short body in one piece is taken as soon as it is read.
    if (size !== this.declared || size > uncharged || this.held > 0) {
      if (this.held === 0) this.holder = this.source.holder;
      const { budget } = this.limits;
      const more = size - this.held;
      if (!budget.tryCharge(this.holder, more))
        return this.reject(budget.exceedsShare(this.holder, more) ? 'no-share' : 'no-room');
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
    this.releaseMemory();
    if (text === undefined) taker.unreadable(source, 'not-utf-8');
    else taker.body(source, text);
  }

  reject(problem: BodyProblem): void {
    if (this.isRead) return;
    this.finish();
    this.source.stopReading();
    this.pieces.clear();
    this.releaseMemory();
    this.taker.unreadable(this.source, problem);
  }

  /** Releases everything, since the exchange has ended. */
  release(): void {
    this.releaseMemory();
    if (this.isRead) return;
    this.finish();
    this.pieces.clear();
    this.source.stopReading();
    this.taker.disconnected(this.source);
  }

  private finish(): void {
    this.isRead = true;
    clearTimeout(this.alarm);
  }

  private releaseMemory(): void {
    if (this.held > 0) this.limits.budget.release(this.holder, this.held);
    this.held = 0;
  }
}
