import type { Exchange } from './exchange.js';

/** Lets a bounded number of requests run, a bounded number wait in order, and refuses the rest. */
export class Admission {
  private running = 0;
  private filling = false;
  private queue: Set<Exchange> = nobody;

  constructor(
    private readonly maxRunning: number,
    private readonly maxQueued: number,
    private readonly host: { run(exchange: Exchange): void },
  ) {}

  /** How many wait. */
  get queued(): number {
    return this.queue.size;
  }

  /** Runs or queues a request; false when it has to be refused. */
  admit(exchange: Exchange): boolean {
    if (this.running < this.maxRunning) {
      this.running += 1;
      exchange.admitted = true;
      this.host.run(exchange);
      return true;
    }
    if (this.queue.size >= this.maxQueued) return false;
    if (this.queue === nobody) this.queue = new Set();
    this.queue.add(exchange);
    return true;
  }

  /** No place is given any more: what waits is going to be cancelled, not run. */
  close(): void {
    this.queue = nobody;
  }

  /** A request ended: gives its place to the next. A queued one, cancelled before it ran, leaves the queue. */
  release(exchange: Exchange): void {
    if (!exchange.admitted) {
      this.queue.delete(exchange);
      return;
    }
    exchange.admitted = false;
    this.running -= 1;
    // A loop, not a recursion: handlers that end at once would otherwise deepen the stack by one per queued request.
    if (this.filling) return;
    this.filling = true;
    try {
      for (const next of this.queue) {
        if (this.running >= this.maxRunning) break;
        this.queue.delete(next);
        this.running += 1;
        next.admitted = true;
        this.host.run(next);
      }
    } finally {
      this.filling = false;
    }
  }
}

// For all that never had to wait, and never written to.
const nobody = new Set<Exchange>();
