import { type Sink, TransportError } from '@rxmcp/transport';
import { clampTimeout } from '@rxmcp/transport/internal';

/** The messages on their way from one end to the other. */
export class MessageQueue {
  /** Called when the far end has taken nothing for too long. */
  onStalled: ((error: TransportError) => void) | undefined;
  #queue: unknown[] = [];
  #head = 0;
  #sink: Sink | undefined;
  #scheduled = false;
  #finished = false;
  #cause: TransportError | undefined;
  #waiting: Promise<void> | undefined;
  #drained: (() => void) | undefined;
  #alarm: ReturnType<typeof setTimeout> | undefined;
  /** Something was taken since the alarm was set. */
  #moves = false;

  constructor(
    private readonly burst: FlushScheduler,
    private readonly maxQueued: number,
    private readonly writeTimeoutMs: number,
  ) {}

  /** Takes a message. Returns a promise of the queue's draining when too many wait, nothing otherwise. */
  push(value: unknown): Promise<void> | undefined {
    if (this.#finished) return undefined;
    this.#queue.push(value);
    this.#schedule();
    return this.#queue.length - this.#head > this.maxQueued ? this.#full() : undefined;
  }

  /** The far end is ready to be delivered to. */
  open(sink: Sink): void {
    this.#sink = sink;
    this.#schedule();
  }

  /** The near end is over: what was sent still arrives, then the far end closes. */
  finish(cause: TransportError | undefined): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#cause = cause;
    this.#release();
    this.#schedule();
  }

  /** The far end is over: nothing is delivered any more. */
  stop(): void {
    this.#finished = true;
    this.#sink = undefined;
    this.#queue = [];
    this.#head = 0;
    this.#release();
  }

  #schedule(): void {
    if (this.#scheduled || this.#sink === undefined) return;
    this.#scheduled = true;
    this.burst.schedule(this.#flush);
  }

  readonly #flush = (): void => {
    this.#scheduled = false;
    this.#moves = true;
    while (this.#sink !== undefined && this.#head < this.#queue.length) {
      const value = this.#queue[this.#head];
      this.#queue[this.#head] = undefined;
      this.#head += 1;
      this.#sink.value(value);
      if (this.burst.spent()) break;
    }
    if (this.#head < this.#queue.length) {
      this.#compact();
      this.#schedule();
      return;
    }
    this.#queue.length = 0;
    this.#head = 0;
    this.#release();
    if (this.#finished) this.#sink?.closed(this.#cause);
  };

  #full(): Promise<void> {
    this.#waiting ??= new Promise<void>((resolve) => {
      this.#drained = resolve;
      this.#watch();
    });
    return this.#waiting;
  }

  #watch(): void {
    this.#moves = false;
    this.#alarm = setTimeout(
      () => (this.#moves ? this.#watch() : this.#stalled()),
      clampTimeout(this.writeTimeoutMs),
    );
  }

  #release(): void {
    if (this.#waiting === undefined) return;
    clearTimeout(this.#alarm);
    this.#drained?.();
    this.#waiting = undefined;
    this.#drained = undefined;
  }

  #stalled(): void {
    const seconds = String(this.writeTimeoutMs / 1_000);
    this.onStalled?.(new TransportError('STALLED', `the other side took no message for ${seconds} s`));
  }

  /** Keeps a long backlog from holding on to the slots that were delivered. */
  #compact(): void {
    if (this.#head < 16_384) return;
    this.#queue = this.#queue.slice(this.#head);
    this.#head = 0;
  }
}

const perTurn = 1_024;
/** Its `then` is a microtask; Node's own `queueMicrotask` does several times the work of one. */
const settled = Promise.resolve();

/** Runs flushes in microtasks, and every 1,024 deliveries in a macrotask, so that timers and I/O of the process get their turn. */
export class FlushScheduler {
  #deliveries = 0;

  /** Counts one delivery; true when the flush should stop here and be scheduled again. */
  spent(): boolean {
    this.#deliveries += 1;
    return this.#deliveries >= perTurn;
  }

  schedule(flush: () => void): void {
    if (this.#deliveries < perTurn) {
      void settled.then(flush);
      return;
    }
    this.#deliveries = 0;
    macrotask(flush);
  }
}

// Taken when the module loads: a test's virtual clock holds back the application's timers, not messages.
const immediate = (globalThis as { setImmediate?: (task: () => void) => unknown }).setImmediate;
const timeout = globalThis.setTimeout;

function macrotask(task: () => void): void {
  // A virtual clock sees this microtask, and gives the platform the turn that the task needs.
  queueMicrotask(() => undefined);
  if (immediate === undefined) timeout(task, 0);
  else immediate(task);
}
