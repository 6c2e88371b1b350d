import { TransportError } from './error.js';
import { setUnrefTimeout } from './timers.js';

/** What a {@link SendQueue} writes to, and what it reports. */
export interface SendQueueOptions {
  /** Hands text to the stream; false = it asks to wait until it has drained. */
  write(text: string): boolean;
  /** The stream took nothing for `writeTimeoutMs`, or was given far more than it takes: the connection cannot go on. */
  failed(error: TransportError): void;
  /** The queue is over its bound (true) or has emptied again (false): the moment to pause and resume what feeds it. */
  pressure?(over: boolean): void;
  /** Whether a waiting text counts for the pressure. @default every text does */
  counts?(text: string): boolean;
  /** How many characters may wait before the pressure is over. @default 1048576 */
  readonly maxChars?: number;
  readonly writeTimeoutMs: number;
  /** Calls back when a burst is over. @default after eight microtasks in a row without a text */
  schedule?(flush: () => void): void;
  /** A burst that is longer is written before it is over, in characters. @default 1048576 */
  readonly maxBurstChars?: number;
}

const maxMessages = 1_024;
const maxBatchChars = 1024 * 1024;
/** A feeder that ignores pressure ends here. */
const hardMaxChars = 64 * maxBatchChars;
/** A slow reader that takes a piece of this length in time is no stalled one. */
const pieceChars = 64 * 1024;
/** So many microtasks in a row without a text end a burst. */
const quietEnough = 8;
/** Its `then` is a microtask; Node's own `queueMicrotask` and `nextTick` do several times the work of one. */
const settled = Promise.resolve();

/**
 * Writes framed messages to a stream of bytes: all of a burst in one write, or in pieces where it is long, and no faster than
 * the other side reads.
 */
export class SendQueue {
  private pending = '';
  /** What is being written in pieces, and how far that has come. */
  private batch = '';
  private at = 0;
  private messages = 0;
  /** How many there were when the scheduled flush last looked. */
  private seen = 0;
  private quietLooks = 0;
  /** Of what waits for a drain, the texts that count, and their characters. */
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
  private readonly maxBurstChars: number;

  constructor(private readonly options: SendQueueOptions) {
    this.maxBurstChars = options.maxBurstChars ?? maxBatchChars;
  }

  /** Whether nothing waits. */
  get isEmpty(): boolean {
    return this.messages === 0 && !this.blocked;
  }

  /** Takes one message with its frame. Returns a promise of the stream's draining while it takes nothing more. */
  send(text: string): Promise<void> | undefined {
    if (this.stopped) return this.never;
    this.pending += text;
    this.messages += 1;
    if (this.blocked) {
      this.bound(text);
      return this.drained ?? this.never;
    }
    if (this.pending.length > this.maxBurstChars) {
      this.flush();
      return this.drained;
    }
    if (!this.scheduled) {
      this.scheduled = true;
      this.quietLooks = 0;
      if (this.options.schedule === undefined) void settled.then(this.look);
      else this.options.schedule(this.flushScheduled);
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
   * Drops what waits, but for messages that are being written. Promises stay open: the connection, which ends too, settles
   * the sends with its cause.
   */
  stop(): void {
    this.stopped = true;
    this.pending = '';
    const rest = this.batch.slice(this.at);
    this.batch = '';
    if (rest !== '') this.options.write(rest);
    this.unblock();
  }

  private readonly look = (): void => {
    // Handlers of several requests that came at once need more or fewer microtasks.
    this.quietLooks = this.messages === this.seen ? this.quietLooks + 1 : 0;
    if (this.quietLooks >= quietEnough) return this.flushScheduled();
    this.seen = this.messages;
    void settled.then(this.look);
  };

  private readonly flushScheduled = (): void => {
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
    const { writeTimeoutMs } = this.options;
    this.alarm = setUnrefTimeout(() => {
      const message = `the other side read nothing for ${String(writeTimeoutMs / 1_000)} s`;
      this.options.failed(new TransportError('STALLED', message));
    }, writeTimeoutMs);
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

  private bound(text: string): void {
    if (this.pending.length > hardMaxChars) {
      this.stop();
      this.options.failed(
        new TransportError('OVERFLOW', 'the other side reads slower than messages are sent'),
      );
      return;
    }
    const { pressure, counts, maxChars = maxBatchChars } = this.options;
    if (pressure === undefined || counts?.(text) === false) return;
    this.counted += 1;
    this.countedChars += text.length;
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

const ownHead = /^\{"jsonrpc":"2\.0",(?:"id":(?:"(?:[^"\\]|\\.)*"|[^",]*),)?"method":/;

/**
 * Whether a text is an answer, which reading caused, and not a request or a notification of this side. A text whose members
 * stand in an unusual order is taken for an answer.
 */
export function isAnswer(text: string): boolean {
  return !ownHead.test(text);
}
