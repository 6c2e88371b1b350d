import { checkMinimum } from '../base/checks.js';
import { rejectUnknownOptions } from '@rxmcp/transport/internal';
import { quoted } from '../base/message-text.js';
import type { ResponseEvent, Interceptor } from '../contract/interceptor.js';
import { callStream } from '../streams/call.js';
import type { Running } from '../streams/call.js';
import type { LimitKey } from './limit-key.js';
import { limitKeySelector, overloadError } from './limit-key.js';

/** Configures {@link concurrency}. */
export interface ConcurrencyOptions {
  /** The number of requests that run at a time. */
  readonly maxConcurrentRequests: number;
  /** The number of requests that wait, in order. @default 1_024 */
  readonly maxQueuedRequests?: number;
  /** Which requests share the limit. @default 'all' */
  readonly per?: LimitKey;
}

const knownOptions: Record<keyof ConcurrencyOptions, true> = {
  maxConcurrentRequests: true,
  maxQueuedRequests: true,
  per: true,
};

/**
 * Limits how many requests run at a time, and queues more. Beyond that a server rejects with -31001 and a client
 * with TOO_MANY_CALLS; both are retryable.
 * @throws TypeError for limits that are not numbers
 */
export function concurrency(options: ConcurrencyOptions): Interceptor {
  rejectUnknownOptions('concurrency', options, knownOptions, {
    max: 'maxConcurrentRequests',
    queue: 'maxQueuedRequests',
  });
  const max = checkMinimum(1, 'maxConcurrentRequests', options.maxConcurrentRequests);
  const queue = checkMinimum(0, 'maxQueuedRequests', options.maxQueuedRequests ?? 1_024);
  const keyOf = limitKeySelector(options.per ?? 'all');
  const gates = new Map<string, Gate>();
  return (exchange, next) =>
    callStream<ResponseEvent>((sink) => {
      const key = keyOf(exchange);
      let gate = gates.get(key);
      if (gate === undefined) gates.set(key, (gate = new Gate(max, () => gates.delete(key))));
      const place = gate.enter(() => next().subscribe(sink), queue);
      if (place !== undefined) return place;
      sink.error(
        overloadError(exchange, `${quoted(exchange.method)} refused: ${max} run and ${queue} wait`, 1_000),
      );
      return nowhere;
    });
}

const nowhere: Running = { cancel: () => undefined };

/** Limits how many tasks run at a time. */
class Gate {
  private running = 0;
  private readonly waiting = new Set<() => void>();
  private isStarting = false;

  constructor(
    private readonly max: number,
    private readonly empty: () => void,
  ) {}

  /** Starts a task now or when another ends. Returns undefined if the queue is full. */
  enter(start: () => { unsubscribe(): void }, queue: number): Running | undefined {
    if (this.running >= this.max && this.waiting.size >= queue) return undefined;
    let inside: { unsubscribe(): void } | undefined;
    let state: 'waiting' | 'running' | 'left' = 'waiting';
    const run = (): void => {
      state = 'running';
      inside = start();
      // A task that was cancelled while it started had no subscription to end yet.
      if ((state as string) === 'left') inside.unsubscribe();
    };
    this.waiting.add(run);
    this.startWaiting();
    return {
      cancel: () => {
        const before = state;
        state = 'left';
        if (before === 'waiting') this.waiting.delete(run);
        inside?.unsubscribe();
        if (before === 'running') this.running -= 1;
        this.startWaiting();
      },
    };
  }

  // A loop instead of recursion: all waiting tasks may end as soon as they start.
  private startWaiting(): void {
    if (this.isStarting) return;
    this.isStarting = true;
    try {
      for (const run of this.waiting) {
        if (this.running >= this.max) break;
        this.waiting.delete(run);
        this.running += 1;
        run();
      }
    } finally {
      this.isStarting = false;
    }
    if (this.running === 0 && this.waiting.size === 0) this.empty();
  }
}
