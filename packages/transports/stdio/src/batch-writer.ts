import { timerMs, TransportError } from '@rxmcp/transport';

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

/** Writes lines, all that one tick sends in one write, and says when the stream cannot take more. */
export class BatchWriter {
  private readonly options: BatchWriterOptions;
  private pending = '';
  private messages = 0;
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
      process.nextTick(this.flushScheduled);
    }
    return undefined;
  }

  /** The stream has drained. */
  onDrain(): void {
    if (!this.blocked || this.stopped) return;
    const release = this.unblock();
    this.flush();
    release?.();
  }

  /** Writes what waits; resolves when the stream has taken it. */
  async flushed(): Promise<void> {
    this.flush();
    while (this.drained !== undefined && !this.stopped) await this.drained;
  }

  /** Drops what waits. Its promises stay open: the connection, which ends too, settles the sends with its cause. */
  stop(): void {
    this.stopped = true;
    this.pending = '';
    this.unblock();
  }

  private readonly flushScheduled = (): void => {
    this.scheduled = false;
    this.flush();
  };

  private flush(): void {
    if (this.blocked || this.stopped || this.messages === 0) return;
    const text = this.pending;
    this.pending = '';
    this.messages = 0;
    this.counted = 0;
    this.countedChars = 0;
    if (this.options.write(text)) return;
    this.blocked = true;
    this.drained = new Promise<void>((resolve) => {
      this.release = resolve;
    });
    const { stallMs } = this.options;
    this.alarm = setTimeout(() => {
      const message = `The other side read nothing for ${String(stallMs / 1_000)} s.`;
      this.options.failed(new TransportError('STALLED', message));
    }, timerMs(stallMs));
    this.alarm.unref();
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
