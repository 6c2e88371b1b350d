import { largeChars, loopTurns } from '@rxmcp/transport/internal';

/** What is read before the start, so that an end before it is noticed; then the socket is paused. */
const maxEarlyMessages = 64;
const maxEarlyChars = 64 * 1024;

/** A chunk of at least so many bytes may be one of many that the system has for this socket. */
const largeChunkBytes = 16 * 1024;

/** What {@link IncomingMessages} reads from, and passes on to. */
export interface IncomingMessagesOptions {
  readonly socket: { pause(): void; resume(): void };
  /** Who shares the turns with others. */
  readonly holder: string;
  deliver(text: string): void;
  /** Called when no message waits any more. */
  delivered(): void;
}

/** The messages of a socket, in order: none before the start or during a pause, large ones in turns of the event loop. */
export class IncomingMessages {
  private readonly waiting: string[] = [];
  private waitingChars = 0;
  private isStarted = false;
  private isPaused = false;
  private isScheduled = false;
  private isOver = false;
  private whenDelivered: (() => void) | undefined;

  constructor(private readonly options: IncomingMessagesOptions) {}

  /** Takes one message that was read. Returns whether it waits. */
  add(text: string): boolean {
    if (this.isOver) return false;
    const isNext = this.isStarted && !this.isPaused && this.waiting.length === 0;
    if (isNext && (text.length < largeChars ? !loopTurns.isOver : loopTurns.hasTime())) {
      this.options.deliver(text);
      return false;
    }
    this.waiting.push(text);
    this.waitingChars += text.length;
    if (this.isStarted) this.wait();
    else if (this.waiting.length > maxEarlyMessages || this.waitingChars > maxEarlyChars)
      this.options.socket.pause();
    return true;
  }

  /** A chunk was read. After a large one, others may be next. */
  chunkRead(bytes: number): void {
    if (bytes >= largeChunkBytes && this.isStarted && !this.isOver && !loopTurns.hasTime()) this.wait();
  }

  /** Delivers what was read before the start. Returns whether there was something. */
  start(): boolean {
    this.isStarted = true;
    const hasWaited = this.waiting.length > 0;
    while (this.waiting.length > 0) this.deliverNext();
    if (hasWaited) this.options.delivered();
    return hasWaited;
  }

  /** Reads and delivers nothing until {@link resume}. */
  pause(): void {
    this.isPaused = true;
    this.options.socket.pause();
  }

  resume(): void {
    this.isPaused = false;
    this.schedule();
  }

  /** Calls back after the last message: the socket has ended. */
  end(callback: () => void): void {
    if (this.waiting.length === 0 || !this.isStarted || this.isOver) return callback();
    this.whenDelivered = callback;
    // Nothing more is sent, so that nothing is waited for.
    this.resume();
  }

  /** Drops what waits. */
  stop(): void {
    this.isOver = true;
    this.waiting.length = 0;
  }

  private wait(): void {
    this.options.socket.pause();
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled || this.isPaused || this.isOver || !this.isStarted) return;
    this.isScheduled = true;
    loopTurns.run(this.options.holder, this.turn);
  }

  private readonly turn = (): void => {
    this.isScheduled = false;
    if (this.waiting.length > 0 && !this.isPaused) this.deliverNext();
    while (this.waiting.length > 0 && !this.isPaused && loopTurns.hasTime()) this.deliverNext();
    if (this.isPaused || this.isOver) return;
    if (this.waiting.length > 0) return this.schedule();
    this.options.delivered();
    if (this.whenDelivered === undefined) this.options.socket.resume();
    else this.whenDelivered();
  };

  private deliverNext(): void {
    const text = this.waiting.shift() as string;
    this.waitingChars -= text.length;
    this.options.deliver(text);
  }
}

/** Begins a turn for a large chunk, before it is read: it may hold thousands of short messages. */
export function beginTurnOfChunk({ length }: Uint8Array): void {
  if (length >= largeChunkBytes) loopTurns.begin();
}
