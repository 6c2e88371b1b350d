import { TransportError } from '../contract/error.js';
import type { UnreadOutput } from '../memory/unread-output.js';
import { setUnrefTimeout } from '../base/timers.js';

/** Options of a {@link SendQueue}. */
interface SendQueueOptions {
  /** Writes text to the stream; false = the stream asks to wait until it has drained. */
  write(text: string): boolean;
  /** Reports that the connection must end, such as with `STALLED` (the stream accepted nothing for `writeTimeoutMs`) or `OVERFLOW`. */
  failed(error: TransportError): void;
  /** Reports that the queue exceeds its limit (true) or is empty again (false): pause and resume what feeds it. */
  pressure?(over: boolean): void;
  /** Whether a waiting text counts towards the limit. @default every text counts */
  counts?(text: string): boolean;
  /** How many characters may wait before `pressure(true)`. @default 1048576 */
  readonly maxChars?: number;
  readonly writeTimeoutMs: number;
  /** Charges for what waits here and in the stream; the connection ends with `OVERFLOW` where it is rejected. @default nothing is charged */
  readonly unread?: UnreadOutput | undefined;
  /** Returns how many bytes the stream holds. @default none are known */
  buffered?(): number;
  /** Calls `flush` at the end of a burst. @default after eight microtasks in a row without a text */
  schedule?(flush: () => void): void;
  /** Longest burst that waits for its end before it is written, in characters. @default 1048576 */
  readonly maxBurstChars?: number;
}

const maxMessages = 1_024;
const maxBatchChars = 1024 * 1024;
/** The connection of a sender that ignores `pressure` ends at this many characters. */
const hardMaxChars = 64 * maxBatchChars;
/** Long texts are written in pieces of this length: a slow reader that accepts one piece in time has not stalled. */
const pieceChars = 64 * 1024;
/** How many microtasks in a row without a text end a burst. */
const quietEnough = 9;
/** Its `then` runs a microtask at a fraction of the cost of `queueMicrotask` and `nextTick` in Node. */
const settled = Promise.resolve();

/**
 * Writes framed messages to a stream of bytes, no faster than the other side reads. A burst is one write, or several pieces where
 * it is long.
 */
export class SendQueue {
  #pending = '';
  /** The text that is being written in pieces, and the current position in it. */
  #batch = '';
  #at = 0;
  #messages = 0;
  /** How often the scheduled flush has checked since the last message. */
  #quietLooks = 0;
  /** The texts that wait for a drain and count, and their characters. */
  #counted = 0;
  #countedChars = 0;
  #scheduled = false;
  #blocked = false;
  #over = false;
  #stopped = false;
  #drained: Promise<void> | undefined;
  #release: (() => void) | undefined;
  #alarm: ReturnType<typeof setTimeout> | undefined;
  /** The promise of a send after the end, which the end of its connection settles. */
  readonly #never = new Promise<void>(() => undefined);
  readonly #maxBurstChars: number;

  constructor(private readonly options: SendQueueOptions) {
    this.#maxBurstChars = options.maxBurstChars ?? maxBatchChars;
  }

  /** Whether no message waits. */
  get isEmpty(): boolean {
    return this.#messages === 0 && !this.#blocked;
  }

  /** Queues one framed message. While the stream is full, returns a promise that resolves when it has drained. */
  send(text: string): Promise<void> | undefined {
    if (this.#stopped) return this.#never;
    this.#pending += text;
    this.#messages += 1;
    this.#quietLooks = 0;
    if (this.#blocked) {
      this.#bound(text);
      return this.#drained ?? this.#never;
    }
    if (this.#pending.length > this.#maxBurstChars) {
      this.#flush();
      return this.#stopped ? this.#never : this.#drained;
    }
    if (!this.#scheduled) {
      this.#scheduled = true;
      if (this.options.schedule === undefined) void settled.then(this.#look);
      else this.options.schedule(this.#flushScheduled);
    }
    return undefined;
  }

  /** Continues writing; call it when the stream has drained. */
  onDrain(): void {
    if (!this.#blocked || this.#stopped) return;
    clearTimeout(this.#alarm);
    if (!this.#writePieces()) {
      this.#watch();
      return this.#charge();
    }
    const release = this.#unblock();
    this.#flush();
    if (!this.#blocked) this.#charge();
    release?.();
  }

  /** Writes all waiting messages; resolves when the stream has accepted them. */
  async flushed(): Promise<void> {
    this.#flush();
    while (this.#drained !== undefined && !this.#stopped) await this.#drained;
  }

  /**
   * Drops all waiting messages except those that are being written. Promises stay pending: the connection, which ends too,
   * settles the sends with its cause.
   */
  stop(): void {
    this.#stopped = true;
    this.#pending = '';
    const rest = this.#batch.slice(this.#at);
    this.#batch = '';
    if (rest !== '') this.options.write(rest);
    this.#unblock();
  }

  readonly #look = (): void => {
    // Handlers of concurrent requests need different numbers of microtasks.
    this.#quietLooks += 1;
    if (this.#quietLooks >= quietEnough) return this.#flushScheduled();
    void settled.then(this.#look);
  };

  readonly #flushScheduled = (): void => {
    this.#scheduled = false;
    try {
      this.#flush();
    } catch (cause) {
      this.options.failed(TransportError.from(cause, 'CONNECTION_LOST'));
    }
  };

  #flush(): void {
    if (this.#blocked || this.#stopped || this.#messages === 0) return;
    const text = this.#pending;
    this.#pending = '';
    this.#messages = 0;
    this.#counted = 0;
    this.#countedChars = 0;
    if (text.length <= pieceChars) {
      if (this.options.write(text)) return;
    } else {
      this.#batch = text;
      this.#at = 0;
      if (this.#writePieces()) return;
    }
    this.#blocked = true;
    this.#drained = new Promise<void>((resolve) => {
      this.#release = resolve;
    });
    this.#watch();
    this.#charge();
  }

  /** True when the stream accepted the whole batch and does not ask to wait. */
  #writePieces(): boolean {
    while (this.#at < this.#batch.length) {
      const end = endOfPiece(this.#batch, this.#at);
      const piece = this.#batch.slice(this.#at, end);
      this.#at = end;
      if (!this.options.write(piece)) return false;
    }
    this.#batch = '';
    this.#at = 0;
    return true;
  }

  #watch(): void {
    const { writeTimeoutMs } = this.options;
    this.#alarm = setUnrefTimeout(() => {
      const message = `the other side read nothing for ${String(writeTimeoutMs / 1_000)} s`;
      this.options.failed(new TransportError('STALLED', message));
    }, writeTimeoutMs);
  }

  #unblock(): (() => void) | undefined {
    const release = this.#release;
    clearTimeout(this.#alarm);
    this.#blocked = false;
    this.#drained = undefined;
    this.#release = undefined;
    if (this.#over) {
      this.#over = false;
      this.options.pressure?.(false);
    }
    return release;
  }

  /** Charges for what waits, here and in the stream. */
  #charge(): void {
    const { unread, buffered } = this.options;
    if (unread === undefined || this.#stopped) return;
    const chars = this.#pending.length + this.#batch.length - this.#at;
    if (!unread.hold(chars + (buffered?.() ?? 0))) this.#overflow(unread.error());
  }

  #overflow(error: TransportError): void {
    this.stop();
    // Now, not when the stream has closed: others must not be cut for it meanwhile.
    this.options.unread?.release();
    this.options.failed(error);
  }

  #bound(text: string): void {
    if (this.#pending.length > hardMaxChars) return this.#overflow(new TransportError('OVERFLOW', tooSlow));
    this.#charge();
    if (this.#stopped) return;
    const { pressure, counts, maxChars = maxBatchChars } = this.options;
    if (pressure === undefined || counts?.(text) === false) return;
    this.#counted += 1;
    this.#countedChars += text.length;
    if (this.#over || (this.#counted <= maxMessages && this.#countedChars <= maxChars)) return;
    this.#over = true;
    pressure(true);
  }
}

const tooSlow = 'the other side reads slower than messages are sent';

/** Pieces never end inside a surrogate pair, since each piece is encoded separately. */
function endOfPiece(text: string, from: number): number {
  const end = from + pieceChars;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
}

const ownHead = /^\{"jsonrpc":"2\.0",(?:"id":(?:"(?:[^"\\]|\\.)*"|[^",]*),)?"method":/;

/**
 * Returns whether an encoded message is a response, and not a request or a notification. A text with its members in an unusual
 * order counts as a response.
 */
export function isResponseText(text: string): boolean {
  return !ownHead.test(text);
}
