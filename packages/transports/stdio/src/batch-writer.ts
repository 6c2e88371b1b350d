import { TransportError, unheldTimer } from '@rxmcp/transport';

/** What a {@link BatchWriter} writes to, and whom it tells. */
export interface BatchWriterOptions {
  /** Hands text to the stream; false = it asks to wait until it has drained. */
  write(text: string): boolean;
  /** The stream took nothing for `stallMs`, or was given far more than it takes: the connection cannot go on. */
  failed(error: TransportError): void;
  /** The buffer is over its bound (true) or has emptied again (false): the moment to pause and resume what feeds it. */
  pressure?(over: boolean): void;
  /** Whether a waiting line counts for the pressure. @default every line does */
  counts?(line: string): boolean;
  /** How many characters may wait before the pressure is over. @default 1048576 */
  readonly maxChars?: number;
  readonly stallMs: number;
}

const maxMessages = 1_024;
const maxBatchChars = 1024 * 1024;
/** A feeder that ignores pressure ends here. */
const hardMaxChars = 64 * maxBatchChars;
/** A slow reader that takes a piece of this length in time is no stalled one. */
const pieceChars = 64 * 1024;
/** So many microtasks in a row without a line end a batch. */
const quietEnough = 8;
/** Its `then` is a microtask; Node's own `queueMicrotask` and `nextTick` do several times the work of one. */
const settled = Promise.resolve();

/** Writes lines, all that microtasks send without a long gap in one write or in pieces, and says when the stream cannot take more. */
export class BatchWriter {
  private readonly options: BatchWriterOptions;
  private pending = '';
  /** What is being written in pieces, and how far that has come. */
  private batch = '';
  private at = 0;
  private messages = 0;
  /** How many there were when the scheduled flush last looked. */
  private seen = 0;
  private quietLooks = 0;
  /** Of what waits for a drain, the lines that count, and their characters. */
  private counted = 0;
  private countedChars = 0;
  private scheduled = false;
  private blocked = false;
  private over = false;
  private stopped = false;
  private drained: Promise<void> | undefined;
  private release: (() => void) | undefined;
  private alarm: ReturnType<typeof setTimeout> | undefined;
  /** What a send after the end waits for: its connection, which ends too, settles it. */
  private readonly never = new Promise<void>(() => undefined);

  constructor(options: BatchWriterOptions) {
    this.options = options;
  }

  /** Takes one line. Returns a promise of the stream's draining while it takes nothing more. */
  send(line: string): Promise<void> | undefined {
    if (this.stopped) return this.never;
    this.pending += line + '\n';
    this.messages += 1;
    if (this.blocked) {
      this.bound(line);
      return this.drained ?? this.never;
    }
    if (this.pending.length > maxBatchChars) {
      this.flush();
      return this.drained;
    }
    if (!this.scheduled) {
      this.scheduled = true;
      this.quietLooks = 0;
      void settled.then(this.flushScheduled);
    }
    return undefined;
  }

  /** The stream has drained. */
  onDrain(): void {
    if (!this.blocked || this.stopped) return;
    clearTimeout(this.alarm);
    if (!this.writePieces()) return this.watch();
    const release = this.unblock();
    this.flush();
    release?.();
  }

  /** Writes what waits; resolves when the stream has taken it. */
  async flushed(): Promise<void> {
    this.flush();
    while (this.drained !== undefined && !this.stopped) await this.drained;
  }

  /**
   * Drops what waits, but for lines that are being written. Promises stay open: the connection, which ends too, settles the
   * sends with its cause.
   */
  stop(): void {
    this.stopped = true;
    this.pending = '';
    const rest = this.batch.slice(this.at);
    this.batch = '';
    if (rest !== '') this.options.write(rest);
    this.unblock();
  }

  private readonly flushScheduled = (): void => {
    // Handlers of several requests that came at once need more or fewer microtasks.
    this.quietLooks = this.messages === this.seen ? this.quietLooks + 1 : 0;
    if (this.quietLooks < quietEnough) {
      this.seen = this.messages;
      void settled.then(this.flushScheduled);
      return;
    }
    this.scheduled = false;
    try {
      this.flush();
    } catch (cause) {
      this.options.failed(TransportError.from(cause, 'CONNECTION_LOST'));
    }
  };

  private flush(): void {
    if (this.blocked || this.stopped || this.messages === 0) return;
    const text = this.pending;
    this.pending = '';
    this.messages = 0;
    this.counted = 0;
    this.countedChars = 0;
    if (text.length <= pieceChars) {
      if (this.options.write(text)) return;
    } else {
      this.batch = text;
      this.at = 0;
      if (this.writePieces()) return;
    }
    this.blocked = true;
    this.drained = new Promise<void>((resolve) => {
      this.release = resolve;
    });
    this.watch();
  }

  /** True when all of the batch was taken, and nothing has to be waited for. */
  private writePieces(): boolean {
    while (this.at < this.batch.length) {
      const end = endOfPiece(this.batch, this.at);
      const piece = this.batch.slice(this.at, end);
      this.at = end;
      if (!this.options.write(piece)) return false;
    }
    this.batch = '';
    return true;
  }

  private watch(): void {
    const { stallMs } = this.options;
    this.alarm = unheldTimer(() => {
      const message = `The other side read nothing for ${String(stallMs / 1_000)} s.`;
      this.options.failed(new TransportError('STALLED', message));
    }, stallMs);
  }

  private unblock(): (() => void) | undefined {
    const release = this.release;
    clearTimeout(this.alarm);
    this.blocked = false;
    this.drained = undefined;
    this.release = undefined;
    if (this.over) {
      this.over = false;
      this.options.pressure?.(false);
    }
    return release;
  }

  private bound(line: string): void {
    if (this.pending.length > hardMaxChars) {
      this.stop();
      this.options.failed(
        new TransportError('OVERFLOW', 'The other side reads slower than it is written to.'),
      );
      return;
    }
    const { pressure, counts, maxChars = maxBatchChars } = this.options;
    if (pressure === undefined || counts?.(line) === false) return;
    this.counted += 1;
    this.countedChars += line.length + 1;
    if (this.over || (this.counted <= maxMessages && this.countedChars <= maxChars)) return;
    this.over = true;
    pressure(true);
  }
}

/** Never within a character: each piece is encoded by itself. */
function endOfPiece(text: string, from: number): number {
  const end = from + pieceChars;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
}
