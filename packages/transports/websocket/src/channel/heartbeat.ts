import { clampTimeout } from '@rxmcp/transport/internal';

/** What a {@link Heartbeat} does and asks. */
export interface HeartbeatOptions {
  readonly intervalMs: number;
  ping(): void;
  /** Whether no response can be expected: this side does not read, or its ping cannot have left. */
  isExcused(): boolean;
  /** Nothing came after two pings in a row. */
  lost(): void;
}

const maxMisses = 2;
const maxLateMs = 1_000;

/**
 * Pings a peer and reports when it does not answer. A process that was busy or asleep itself has missed the pongs: then counting
 * restarts, and messages that have arrived are read before the peer counts as lost.
 */
export class Heartbeat {
  #timer: ReturnType<typeof setInterval> | undefined;
  #last: ReturnType<typeof setImmediate> | undefined;
  #isAlive = true;
  #misses = 0;
  #dueAt = 0;

  constructor(private readonly options: HeartbeatOptions) {}

  start(): void {
    const { intervalMs } = this.options;
    this.#dueAt = performance.now() + intervalMs;
    this.#timer = setInterval(() => this.#beat(), clampTimeout(intervalMs));
    this.#timer.unref();
  }

  /** The peer gave a sign of life. */
  received(): void {
    this.#isAlive = true;
  }

  stop(): void {
    clearInterval(this.#timer);
    clearImmediate(this.#last);
  }

  #beat(): void {
    const { intervalMs, ping, isExcused, lost } = this.options;
    const now = performance.now();
    const isLate = now - this.#dueAt > Math.min(maxLateMs, intervalMs / 2);
    this.#dueAt = now + intervalMs;
    if (this.#isAlive || isLate || isExcused()) this.#misses = 0;
    else this.#misses += 1;
    if (this.#misses >= maxMisses) {
      // A turn of reading comes first: the response may be waiting to be read.
      this.#last = setImmediate(() => (this.#isAlive ? undefined : lost()));
    }
    this.#isAlive = false;
    ping();
  }
}
