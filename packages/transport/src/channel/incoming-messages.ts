import type { WireError } from '@rxmcp/jsonrpc';
import { largeChars, loopTurns } from '../base/loop-turns.js';

/** What is read before the start, so that an end before it is noticed; then the socket is paused. */
const maxEarlyMessages = 64;
const maxEarlyChars = 64 * 1024;

/** What {@link IncomingMessages} reads from, and passes on to. */
export interface IncomingMessagesOptions<T = string> {
  readonly socket: { pause(): void; resume(): void };
  /** Keeps the next chunk from being parsed, and parses it later. */
  readonly parser: { hold(): void; parse(length: number): void };
  /** Who shares the turns with others. */
  readonly holder: string;
  deliver(message: T): void;
  /** Called when no message waits any more. */
  delivered(): void;
}

/** The messages of a connection, in order: none before the start or during a pause, and those of others first once a turn of the event loop is over. */
export class IncomingMessages<T extends string | WireError = string> {
  readonly #waiting: T[] = [];
  #waitingChars = 0;
  #isStarted = false;
  #isPaused = false;
  #isScheduled = false;
  #isOver = false;
  #whenDelivered: (() => void) | undefined;
  /** The length of a chunk that waits to be parsed. */
  #held = 0;

  constructor(private readonly options: IncomingMessagesOptions<T>) {}

  /** Takes one message, or the fault of one, that was read. Returns whether it waits. */
  add(message: T): boolean {
    if (this.#isOver) return false;
    const chars = charsOf(message);
    const isNext = this.#isStarted && !this.#isPaused && this.#waiting.length === 0;
    if (isNext && (chars < largeChars ? !loopTurns.isOver : loopTurns.hasTime())) {
      this.options.deliver(message);
      return false;
    }
    this.#waiting.push(message);
    this.#waitingChars += chars;
    if (this.#isStarted) this.#wait();
    else if (this.#waiting.length > maxEarlyMessages || this.#waitingChars > maxEarlyChars)
      this.options.socket.pause();
    return true;
  }

  /** The characters of the messages that wait to be delivered, with what each takes besides. */
  get waitingChars(): number {
    return this.#waitingChars;
  }

  /** Whether a chunk waits to be parsed. */
  get isHeld(): boolean {
    return this.#held > 0;
  }

  /** A chunk was read. It is parsed next, or waits for its turn. */
  chunkRead(length: number): void {
    if (loopTurns.read(length) || !this.#isStarted || this.#isOver) return;
    if (!this.isHeld) this.options.parser.hold();
    this.#held += length;
    this.#wait();
  }

  /** Delivers what was read before the start. Returns whether there was something. */
  start(): boolean {
    this.#isStarted = true;
    const hasWaited = this.#waiting.length > 0;
    while (this.#waiting.length > 0 && !this.#isPaused) this.#deliverNext();
    if (hasWaited && this.#waiting.length === 0) this.options.delivered();
    return hasWaited;
  }

  /** Reads and delivers nothing until {@link resume}. */
  pause(): void {
    this.#isPaused = true;
    this.options.socket.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#schedule();
  }

  /** Calls back after the last message: the socket has ended. */
  end(callback: () => void): void {
    if (this.#waiting.length === 0 || !this.#isStarted || this.#isOver) return callback();
    this.#whenDelivered = callback;
    // Nothing more is sent, so that nothing is waited for.
    this.resume();
  }

  /** Drops what waits. The frame that closes the socket is still parsed. */
  stop(): void {
    this.#isOver = true;
    this.#waiting.length = 0;
    this.#waitingChars = 0;
    if (this.isHeld) this.#parse();
  }

  #wait(): void {
    this.options.socket.pause();
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isPaused || this.#isOver || !this.#isStarted) return;
    this.#isScheduled = true;
    loopTurns.run(this.options.holder, this.#turn);
  }

  readonly #turn = (): void => {
    this.#isScheduled = false;
    do {
      if (this.#isPaused || this.#isOver) return;
      if (this.#waiting.length > 0) this.#deliverNext();
      else if (this.isHeld) this.#parse();
    } while ((this.#waiting.length > 0 || this.isHeld) && loopTurns.hasTime());
    if (this.#isPaused || this.#isOver) return;
    if (this.#waiting.length > 0 || this.isHeld) return this.#schedule();
    this.options.delivered();
    if (this.#whenDelivered === undefined) this.options.socket.resume();
    else this.#whenDelivered();
  };

  #deliverNext(): void {
    const message = this.#waiting.shift() as T;
    this.#waitingChars -= charsOf(message);
    this.options.deliver(message);
  }

  #parse(): void {
    const held = this.#held;
    this.#held = 0;
    this.options.parser.parse(held);
  }
}

/** With what the engine holds for a short text, and for an error with its stack. */
function charsOf(message: string | WireError): number {
  return typeof message === 'string' ? message.length + 32 : 2_048;
}
