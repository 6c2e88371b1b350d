import { checkMinimum } from '../base/checks.js';
import { rejectRenamedOptions } from '@rxmcp/transport/internal';
import { quoted } from '../base/message-text.js';
import type { ResponseEvent, Interceptor } from '../contract/interceptor.js';
import { callStream } from '../streams/call.js';
import type { Running } from '../streams/call.js';
import type { LimitKey } from './limit-key.js';
import { limitKeySelector, overloadError } from './limit-key.js';

/** Options of {@link concurrency}. */
export interface ConcurrencyOptions {
  /** How many run at a time. */
  readonly maxConcurrentRequests: number;
  /** How many wait for a place, in the order in which they came. @default 1_024 */
  readonly maxQueuedRequests?: number;
  /** What is counted together. @default 'all' */
  readonly per?: LimitKey;
}

/**
 * Runs so many exchanges at a time and has the next ones wait. Beyond that a server refuses with -31001, and a client with
 * TOO_MANY_CALLS; both are retryable. Throws a TypeError for what is no number.
 */
export function concurrency(options: ConcurrencyOptions): Interceptor {
  rejectRenamedOptions('concurrency', options, { max: 'maxConcurrentRequests', queue: 'maxQueuedRequests' });
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

/** A number of places, and those who wait for one. */
class Gate {
  private running = 0;
  private readonly waiting = new Set<() => void>();
  private letting = false;

  constructor(
    private readonly max: number,
    private readonly empty: () => void,
  ) {}

  /** Runs it now, or once there is a place; undefined = no room to wait. */
  enter(start: () => { unsubscribe(): void }, queue: number): Running | undefined {
    if (this.running >= this.max && this.waiting.size >= queue) return undefined;
    let inside: { unsubscribe(): void } | undefined;
    let state: 'waiting' | 'running' | 'left' = 'waiting';
    const run = (): void => {
      state = 'running';
      inside = start();
      // What ended while it was started could not be left there.
      if ((state as string) === 'left') inside.unsubscribe();
    };
    this.waiting.add(run);
    this.let();
    return {
      cancel: () => {
        const before = state;
        state = 'left';
        if (before === 'waiting') this.waiting.delete(run);
        inside?.unsubscribe();
        if (before === 'running') this.running -= 1;
        this.let();
      },
    };
  }

  // A loop, not a chain of calls: those who wait may all end as soon as they begin.
  private let(): void {
    if (this.letting) return;
    this.letting = true;
    try {
      for (const run of this.waiting) {
        if (this.running >= this.max) break;
        this.waiting.delete(run);
        this.running += 1;
        run();
      }
    } finally {
      this.letting = false;
    }
    if (this.running === 0 && this.waiting.size === 0) this.empty();
  }
}
