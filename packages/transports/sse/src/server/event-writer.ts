import { eventText } from '@rxmcp/jsonrpc';
import { timerMs, TransportError } from '@rxmcp/transport';

/** The response that a stream goes out on. */
export interface EventOut {
  /** Writes; false = wait until it has drained. */
  write(text: string): boolean;
  /** Writes nothing more, in order. */
  end(): void;
  /** Cuts the stream. */
  destroy(): void;
  /** Calls back once this turn is over, so that all it sends goes out in one write. */
  soon(run: () => void): void;
}

/** What an {@link EventWriter} is made with. */
export interface EventWriterOptions {
  readonly stallMs: number;
  /** The client took nothing for `stallMs`, or far less than it was sent: the session cannot go on. */
  failed(error: TransportError): void;
  /** More waits than may wait (true), or that is over (false). */
  pressure(over: boolean): void;
}

const maxWaiting = 1_024;
const maxWaitingChars = 1024 * 1024;
/** What a server may send that nobody asked to wait, such as results of work that had begun. */
const hardMaxChars = 64 * maxWaitingChars;
/** A slow client that takes a piece of this length in time is no stalled one. */
const pieceChars = 64 * 1024;

/** Writes events to a response: all that one turn sends in one write, and no faster than the client reads. */
export class EventWriter {
  private pending = '';
  private waiting = 0;
  private scheduled = false;
  private over = false;
  private stopped = false;
  private drained: Promise<void> | undefined;
  private release: (() => void) | undefined;
  private alarm: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly out: EventOut,
    private readonly options: EventWriterOptions,
  ) {}

  /** Takes one message. Returns a promise of the response's draining while it takes nothing more. */
  send(text: string): Promise<void> | undefined {
    this.put(eventText({ event: 'message', data: text }));
    if (this.pending.length >= pieceChars) this.flush();
    if (this.drained === undefined) return undefined;
    this.bound();
    return this.drained;
  }

  /** Tells the client, before anything else, where to post: with {@link begin}, or with what is too much to wait for it. */
  endpoint(uri: string): void {
    this.pending += eventText({ event: 'endpoint', data: uri });
  }

  /** The stream is taken: what it begins with goes out. */
  begin(): void {
    this.flush();
  }

  /** Shows that the stream is alive, where nothing waits that would show it. */
  keepAlive(): void {
    if (this.drained === undefined && this.pending === '') this.put(': keepalive\n\n');
  }

  /** The response has drained. */
  onDrain(): void {
    if (this.drained === undefined || this.stopped) return;
    clearTimeout(this.alarm);
    if (this.pending === '') return this.unblock();
    this.writePieces();
  }

  /** Writes what waits; resolves when the response has taken it. */
  async flushed(): Promise<void> {
    this.flush();
    while (this.drained !== undefined && !this.stopped) await this.drained;
  }

  /** Drops what waits. Its promises stay open: the connection, which ends too, settles the sends with its cause. */
  stop(): void {
    this.stopped = true;
    this.pending = '';
    clearTimeout(this.alarm);
  }

  private put(text: string): void {
    if (this.stopped) return;
    this.pending += text;
    if (this.scheduled || this.drained !== undefined) return;
    this.scheduled = true;
    this.out.soon(this.flushScheduled);
  }

  private readonly flushScheduled = (): void => {
    this.scheduled = false;
    this.flush();
  };

  private flush(): void {
    if (this.drained === undefined && !this.stopped) this.writePieces();
  }

  private writePieces(): void {
    while (this.pending !== '') {
      const piece = firstPiece(this.pending);
      this.pending = this.pending.slice(piece.length);
      if (this.out.write(piece)) continue;
      this.block();
      return;
    }
    if (this.drained !== undefined) this.unblock();
  }

  private block(): void {
    this.drained ??= new Promise<void>((resolve) => {
      this.release = resolve;
    });
    const { stallMs, failed } = this.options;
    this.alarm = setTimeout(() => {
      const message = `The client read nothing for ${String(stallMs / 1_000)} s.`;
      failed(new TransportError('STALLED', message));
    }, timerMs(stallMs));
  }

  private unblock(): void {
    const { release } = this;
    this.drained = undefined;
    this.release = undefined;
    this.waiting = 0;
    if (this.over) {
      this.over = false;
      this.options.pressure(false);
    }
    release?.();
  }

  private bound(): void {
    this.waiting += 1;
    if (this.pending.length > hardMaxChars) {
      this.options.failed(
        new TransportError('OVERFLOW', 'The client reads far slower than it is written to.'),
      );
    } else if (!this.over && (this.waiting > maxWaiting || this.pending.length > maxWaitingChars)) {
      this.over = true;
      this.options.pressure(true);
    }
  }
}

/** The beginning of a text, never with half a character at its end. */
function firstPiece(text: string): string {
  if (text.length <= pieceChars) return text;
  const last = text.charCodeAt(pieceChars - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? pieceChars - 1 : pieceChars);
}
