import { captureAsyncScope } from '@rxmcp/transport/internal';
import type { Exchange } from './exchange.js';

/** Decides which requests run and which wait. */
export interface RequestAdmission {
  /** The number of requests that wait. */
  readonly queued: number;
  /** Runs or queues a request. Returns false if it must be rejected. */
  admit(exchange: Exchange): boolean;
  /** Starts no more requests: those that wait will be cancelled. */
  close(): void;
  /** Called when a request ended: starts the next one. A cancelled request that never ran leaves the queue. */
  release(exchange: Exchange): void;
}

/** Runs a bounded number of requests, queues a bounded number in order, and rejects the rest. */
export class Admission implements RequestAdmission {
  #running = 0;
  #filling = false;
  #queue: Set<Exchange> = noQueue;

  constructor(
    private readonly maxConcurrentRequests: number,
    private readonly maxQueued: number,
    private readonly host: { run(exchange: Exchange): void },
  ) {}

  get queued(): number {
    return this.#queue.size;
  }

  admit(exchange: Exchange): boolean {
    if (this.#running < this.maxConcurrentRequests) {
      this.#start(exchange);
      return true;
    }
    if (this.#queue.size >= this.maxQueued) return false;
    if (this.#queue === noQueue) this.#queue = new Set();
    this.#queue.add(exchange);
    exchange.scope = captureAsyncScope();
    return true;
  }

  close(): void {
    this.#queue = noQueue;
  }

  release(exchange: Exchange): void {
    if (!exchange.admitted) {
      this.#queue.delete(exchange);
      return;
    }
    exchange.admitted = false;
    this.#running -= 1;
    if (!this.#filling && this.#queue.size > 0) this.#fill();
  }

  // A loop instead of recursion: handlers that end at once would otherwise deepen the stack by one per queued
  // request.
  #fill(): void {
    this.#filling = true;
    try {
      for (const next of this.#queue) {
        if (this.#running >= this.maxConcurrentRequests) break;
        this.#queue.delete(next);
        this.#start(next);
      }
    } finally {
      this.#filling = false;
    }
  }

  #start(exchange: Exchange): void {
    this.#running += 1;
    exchange.admitted = true;
    runInScope(exchange, this.host);
  }
}

/** Runs an admitted request: one that had to wait in the async context in which it was received. */
export function runInScope(exchange: Exchange, host: { run(exchange: Exchange): void }): void {
  const { scope } = exchange;
  if (scope === undefined) host.run(exchange);
  else scope.runInAsyncScope(host.run, host, exchange);
}

// Shared by all queues that were never used; never written to.
const noQueue = new Set<Exchange>();
