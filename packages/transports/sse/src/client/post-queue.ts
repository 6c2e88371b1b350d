import { notSentError, TransportError } from '@rxmcp/transport';
import { clampTimeout, estimatePostBytes, type HeldBytes } from '@rxmcp/transport/internal';

/** What a {@link PostQueue} is made with. */
export interface PostQueueOptions {
  /** Posts one message. */
  post(text: string): Promise<void>;
  /** How long the next message waits for the one before it to be answered, in milliseconds. */
  readonly turnMs: number;
  readonly writeTimeoutMs: number;
  /** Charged for the responses that wait. */
  readonly held: HeldBytes;
  /** Returns whether a person signs in, during which the limit does not apply. @default never */
  isWaiting?(): boolean;
  /** Nothing more can be sent, and the connection cannot go on. */
  failed(error: TransportError): void;
}

interface Waiting {
  readonly text: string;
  readonly signal: AbortSignal | undefined;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const maxPosts = 64;
/** A blocked event loop runs one overdue part of a turn, and reads what has arrived before the next one. */
const turnParts = 10;
/** Reading continues while posts wait, since a server may accept nothing before it is read. So this limit ends a flood. */
const maxWaiting = 65_536;
const maxWaitingChars = 64 * 1024 * 1024;

/**
 * Posts messages in their order: each one when the one before it was answered. Many servers answer only when the work is
 * done, and that may wait for a message of ours; so after a while the next one goes all the same.
 */
export class PostQueue {
  #waiting: Waiting[] = [];
  #chars = 0;
  #posts = 0;
  #isOver = false;
  #turn: { timer: ReturnType<typeof setTimeout> } | undefined;
  #alarm: ReturnType<typeof setTimeout> | undefined;
  #aliveAt = 0;
  #idle: (() => void)[] = [];

  constructor(private readonly options: PostQueueOptions) {}

  /** Resolves when the server has taken the message. Stays open at the end: the connection, which ends too, settles it. */
  send(text: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.#isOver) return new Promise(() => undefined);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, signal, resolve, reject });
      this.#chars += text.length;
      const isCharged = this.options.held.grow(estimatePostBytes(text));
      if (!isCharged || this.#waiting.length > maxWaiting || this.#chars > maxWaitingChars) {
        this.options.failed(
          new TransportError('OVERFLOW', 'the server accepts messages slower than they are sent'),
        );
      } else this.#next();
    });
  }

  /** The server showed that it lives. */
  alive(): void {
    this.#aliveAt = performance.now();
  }

  /** Resolves when nothing waits any more and every post was answered. */
  settled(): Promise<void> {
    if (this.#isIdle) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Begins nothing more. What waits stays open. */
  stop(): void {
    this.#isOver = true;
    this.#waiting = [];
    this.options.held.resize(0);
    clearTimeout(this.#turn?.timer);
    clearTimeout(this.#alarm);
    this.#tellIdle();
  }

  get #isIdle(): boolean {
    return this.#posts === 0 && this.#waiting.length === 0;
  }

  #tellIdle(): void {
    if (this.#isIdle) for (const resolve of this.#idle.splice(0)) resolve();
  }

  #next(): void {
    while (!this.#isOver && this.#turn === undefined && this.#posts < maxPosts) {
      const entry = this.#waiting.shift();
      if (entry === undefined) break;
      this.#chars -= entry.text.length;
      this.options.held.grow(-estimatePostBytes(entry.text));
      if (entry.signal?.aborted === true) {
        entry.reject(notSentError('SEND_FAILED', 'sending was aborted', entry.signal.reason));
      } else this.#begin(entry);
    }
    this.#tellIdle();
  }

  #begin({ text, resolve, reject }: Waiting): void {
    const partMs = this.options.turnMs / turnParts;
    let left = turnParts;
    const part = (): void => {
      left -= 1;
      if (left > 0) turn.timer = setTimeout(part, partMs);
      else {
        this.#turn = undefined;
        this.#next();
      }
    };
    const turn = { timer: setTimeout(part, partMs) };
    this.#turn = turn;
    if (this.#posts === 0) {
      this.alive();
      this.#watch(this.options.writeTimeoutMs);
    }
    this.#posts += 1;
    const settled = (): void => {
      this.#posts -= 1;
      this.alive();
      if (this.#posts === 0) clearTimeout(this.#alarm);
      if (this.#turn === turn) {
        clearTimeout(turn.timer);
        this.#turn = undefined;
      }
      this.#next();
    };
    this.options.post(text).then(
      () => (resolve(), settled()),
      (error: unknown) => (reject(error), settled()),
    );
  }

  #watch(ms: number): void {
    this.#alarm = setTimeout(() => {
      const left = this.options.writeTimeoutMs - (performance.now() - this.#aliveAt);
      if (this.options.isWaiting?.() === true) this.#watch(this.options.writeTimeoutMs);
      else if (left > 0) this.#watch(left);
      else {
        const message = `the server accepted no message for ${this.options.writeTimeoutMs / 1_000} s`;
        this.options.failed(new TransportError('STALLED', message));
      }
    }, clampTimeout(ms));
  }
}
