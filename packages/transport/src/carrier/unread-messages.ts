import { TransportError } from '../contract/error.js';
import type { UnreadOutput } from '../memory/unread-output.js';
import { clampTimeout } from '../base/timers.js';

/** Options of {@link UnreadMessages}. */
export interface UnreadMessagesOptions {
  readonly maxMessages: number;
  readonly writeTimeoutMs: number;
  /** Charged for what is not read. */
  readonly output: UnreadOutput;
  /** The other side took nothing for `writeTimeoutMs`, or was given far more than it takes. */
  failed(error: TransportError): void;
}

const maxUnreadChars = 1024 * 1024;
/** A feeder that does not wait ends here. */
const hardMaxChars = 64 * maxUnreadChars;

/**
 * Counts the messages that were posted and are not read yet. A carrier accepts everything, so the other side reports what it has
 * read, and sends wait while too much is unread.
 */
export class UnreadMessages {
  #lengths: number[] = [];
  #head = 0;
  #chars = 0;
  #waiting: Promise<void> | undefined;
  #release: (() => void) | undefined;
  #isStopped = false;
  #alarm: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: UnreadMessagesOptions) {}

  /** Counts a posted message. Returns a promise that resolves once there is room, where there is no room. */
  add(chars: number): Promise<void> | undefined {
    this.#lengths.push(chars);
    this.#chars += chars;
    if (this.#chars > hardMaxChars) {
      this.options.failed(
        new TransportError('OVERFLOW', 'the other side reads slower than messages are sent'),
      );
      return undefined;
    }
    const { output } = this.options;
    if (!output.hold(this.#chars)) {
      this.options.failed(output.error());
      return undefined;
    }
    if (!this.#isFull()) return undefined;
    if (this.#waiting === undefined) {
      this.#waiting = new Promise((resolve) => {
        this.#release = resolve;
      });
      this.#watch();
    }
    return this.#waiting;
  }

  /** The other side has read so many more; what it cannot have read is not counted. */
  read(messages: number): void {
    const from = this.#head;
    const to = Math.min(from + messages, this.#lengths.length);
    for (; this.#head < to; this.#head += 1) this.#chars -= this.#lengths[this.#head] ?? 0;
    if (!this.#isStopped) this.options.output.hold(this.#chars);
    if (this.#head > this.options.maxMessages) {
      this.#lengths = this.#lengths.slice(this.#head);
      this.#head = 0;
    }
    if (this.#waiting === undefined) return;
    // A side that says that it has read nothing does not gain time.
    if (to > from && this.#isFull()) this.#watch();
    else if (!this.#isFull()) {
      this.#release?.();
      this.#settle();
    }
  }

  /** Forgets who waits: the connection, which ends too, settles the sends. */
  stop(): void {
    this.#isStopped = true;
    this.options.output.release();
    this.#settle();
  }

  #settle(): void {
    clearTimeout(this.#alarm);
    this.#waiting = undefined;
    this.#release = undefined;
  }

  #isFull(): boolean {
    return this.#lengths.length - this.#head > this.options.maxMessages || this.#chars > maxUnreadChars;
  }

  #watch(): void {
    const { writeTimeoutMs, failed } = this.options;
    clearTimeout(this.#alarm);
    this.#alarm = setTimeout(() => {
      const seconds = String(writeTimeoutMs / 1_000);
      failed(new TransportError('STALLED', `the other side took no message for ${seconds} s`));
    }, clampTimeout(writeTimeoutMs));
  }
}
