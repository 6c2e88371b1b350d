import { TransportError } from '@rxmcp/transport';

/** What a {@link BatchWriter} writes to, and whom it tells. */
export interface BatchWriterOptions {
  /** Hands text to the stream; false = it asks to wait until it has drained. */
  write(text: string): boolean;
  /** The stream took nothing for `stallMs`, or was given far more than it takes: the connection cannot go on. */
  failed(error: TransportError): void;
  /** The buffer is over its bound (true) or has emptied again (false): the moment to pause and resume what feeds it. */
  pressure?(over: boolean): void;
  readonly stallMs: number;
}

const maxMessages = 1_024;
const maxChars = 1024 * 1024;
/** A feeder that ignores pressure ends here. */
const hardMaxChars = 64 * maxChars;

/** Writes lines, all that one tick sends in one write, and says when the stream cannot take more. */
export class BatchWriter {
  private readonly options: BatchWriterOptions;
  private pending = '';
  private messages = 0;
  private scheduled = false;
  private blocked = false;
  private over = false;
  private stopped = false;
  private drained: Promise<void> | undefined;
  private release: (() => void) | undefined;
  private alarm: ReturnType<typeof setTimeout> | undefined;

  constructor(options: BatchWriterOptions) {
    this.options = options;
  }

  /** Takes one line. Returns a promise of the stream's draining while it takes nothing more. */
  send(line: string): Promise<void> | undefined {
    if (this.stopped) return undefined;
    this.pending += line + '\n';
    this.messages += 1;
    if (this.blocked) {
      this.bound();
      return this.drained;
    }
    if (this.pending.length > maxChars) {
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
    if (this.options.write(text)) return;
    this.blocked = true;
    this.drained = new Promise<void>((resolve) => {
      this.release = resolve;
    });
    const { stallMs } = this.options;
    this.alarm = setTimeout(() => {
      const message = `The other side read nothing for ${String(stallMs / 1_000)} s.`;
      this.options.failed(new TransportError('STALLED', message));
    }, stallMs);
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

  private bound(): void {
    if (this.pending.length > hardMaxChars) {
      this.options.failed(
        new TransportError('OVERFLOW', 'The other side reads slower than it is written to.'),
      );
    } else if (!this.over && (this.messages > maxMessages || this.pending.length > maxChars)) {
      this.over = true;
      this.options.pressure?.(true);
    }
  }
}
