import type { Exchange } from './exchange.js';

/** The places that requests run and wait in. */
export interface RequestAdmission {
  /** How many wait. */
  readonly queued: number;
  /** Runs or queues a request; false when it has to be refused. */
  admit(exchange: Exchange): boolean;
  /** No place is given any more: what waits is going to be cancelled, not run. */
  close(): void;
  /** A request ended: gives its place to the next. A queued one, cancelled before it ran, leaves the queue. */
  release(exchange: Exchange): void;
}

/** Lets a bounded number of requests run, a bounded number wait in order, and refuses the rest. */
export class Admission implements RequestAdmission {
  private running = 0;
  private filling = false;
  private queue: Set<Exchange> = nobody;

  constructor(
    private readonly maxConcurrentRequests: number,
    private readonly maxQueued: number,
    private readonly host: { run(exchange: Exchange): void },
  ) {}

  get queued(): number {
    return this.queue.size;
  }

  admit(exchange: Exchange): boolean {
    if (this.running < this.maxConcurrentRequests) {
      this.start(exchange);
      return true;
    }
    if (this.queue.size >= this.maxQueued) return false;
    if (this.queue === nobody) this.queue = new Set();
    this.queue.add(exchange);
    return true;
  }

  close(): void {
    this.queue = nobody;
  }

  release(exchange: Exchange): void {
    if (!exchange.admitted) {
      this.queue.delete(exchange);
      return;
    }
    exchange.admitted = false;
    this.running -= 1;
    if (!this.filling && this.queue.size > 0) this.fill();
  }

  // A loop, not a recursion: handlers that end at once would otherwise deepen the stack by one per queued request.
  private fill(): void {
    this.filling = true;
    try {
      for (const next of this.queue) {
        if (this.running >= this.maxConcurrentRequests) break;
        this.queue.delete(next);
        this.start(next);
      }
    } finally {
      this.filling = false;
    }
  }

  private start(exchange: Exchange): void {
    this.running += 1;
    exchange.admitted = true;
    this.host.run(exchange);
  }
}

// For all that never had to wait, and never written to.
const nobody = new Set<Exchange>();
