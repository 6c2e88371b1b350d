import { checkMinimum } from '../base/checks.js';
import { rejectUnknownOptions } from '@rxmcp/transport/internal';
import { quoted } from '../base/message-text.js';
import type { ResponseEvent, Interceptor } from '../contract/interceptor.js';
import { callStream } from '../streams/call.js';
import type { Running } from '../streams/call.js';
import type { LimitKey, RequestWeight } from './limit-key.js';
import { limitKeySelector, overloadError, weigh } from './limit-key.js';

/** Configures {@link concurrency}. */
export interface ConcurrencyOptions {
  /** The number of requests that run at a time. With `weight`, a request begins while the sum of those that run is below it. */
  readonly maxConcurrentRequests: number;
  /**
   * The number of requests that wait. Principals take turns, and where so many wait the last one of the principal that has most is
   * rejected. All anonymous callers are one. One principal can still have all that run: a second limit with `per: 'principal'` prevents
   * that. @default 1_024
   */
  readonly maxQueuedRequests?: number;
  /**
   * How much of `maxConcurrentRequests` a request uses, such as {@link paramsBytes} or an estimated cost. The last one that begins may exceed the
   * limit, so that a heavy request waits for no more room than others do. @default 1
   */
  readonly weight?: RequestWeight;
  /** Which requests share the limit. @default 'all' */
  readonly per?: LimitKey;
}

const knownOptions: Record<keyof ConcurrencyOptions, true> = {
  maxConcurrentRequests: true,
  maxQueuedRequests: true,
  weight: true,
  per: true,
};

/**
 * Limits how many requests run at a time, and queues more. Beyond that a server rejects with -31001 and a client
 * with TOO_MANY_CALLS; both are retryable.
 * @throws TypeError for limits that are not numbers
 */
export function concurrency(options: ConcurrencyOptions): Interceptor {
  rejectUnknownOptions('concurrency', options, knownOptions, {
    queue: 'maxQueuedRequests',
    cost: 'weight',
  });
  const max = checkMinimum(1, 'maxConcurrentRequests', options.maxConcurrentRequests);
  const queue = checkMinimum(0, 'maxQueuedRequests', options.maxQueuedRequests ?? 1_024);
  const keyOf = limitKeySelector(options.per ?? 'all');
  const callerOf = limitKeySelector('principal');
  const gates = new Map<string, Gate>();
  return (exchange, next) =>
    callStream<ResponseEvent>((sink) => {
      const key = keyOf(exchange);
      const weight = weigh(options.weight, exchange);
      let gate = gates.get(key);
      if (gate === undefined) gates.set(key, (gate = new Gate(max, () => gates.delete(key))));
      const start = (): { unsubscribe(): void } => next().subscribe(sink);
      const reject = (): void => {
        const message = `${quoted(exchange.method)} rejected: ${max} run and ${queue} wait`;
        sink.error(overloadError(exchange, message, 1_000));
      };
      const place = gate.enter(callerOf(exchange), { weight, start, reject }, queue);
      if (place === undefined) reject();
      return place ?? nowhere;
    });
}

const nowhere: Running = { cancel: () => undefined };

interface Task {
  readonly weight: number;
  start(): { unsubscribe(): void };
  reject(): void;
}

/** A task that waits for its turn. */
interface Waiting {
  readonly weight: number;
  run(): void;
  reject(): void;
}

/** Limits how many tasks run at a time, or how much they weigh together. */
class Gate {
  #running = 0;
  #runningWeight = 0;
  #queued = 0;
  /** The tasks of each caller that waits, in the order of their turns. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  #isStarting = false;

  constructor(
    private readonly max: number,
    private readonly empty: () => void,
  ) {}

  /** Starts a task now or when others end. Returns undefined if the queue is full, and no caller has more in it than this one. */
  enter(caller: string, { weight, start, reject }: Task, queue: number): Running | undefined {
    const isFull = (this.#queued > 0 || !this.#hasRoom) && this.#queued >= queue;
    if (isFull && !this.#displaced(caller)) return undefined;
    let inside: { unsubscribe(): void } | undefined;
    let state: 'waiting' | 'running' | 'left' = 'waiting';
    const task: Waiting = {
      weight,
      run: () => {
        state = 'running';
        inside = start();
        // A task that was cancelled while it started had no subscription to end yet.
        if ((state as string) === 'left') inside.unsubscribe();
      },
      reject: () => {
        state = 'left';
        reject();
      },
    };
    const tasks = this.#waiting.get(caller) ?? new Set();
    this.#waiting.set(caller, tasks.add(task));
    this.#queued += 1;
    this.#startWaiting();
    return {
      cancel: () => {
        const before = state;
        state = 'left';
        if (before === 'waiting') this.#remove(caller, tasks, task);
        inside?.unsubscribe();
        if (before === 'running') this.#leave(weight);
        this.#startWaiting();
      },
    };
  }

  get #hasRoom(): boolean {
    return this.#runningWeight < this.max;
  }

  #leave(weight: number): void {
    this.#running -= 1;
    // Sums of fractions do not end at 0.
    this.#runningWeight = this.#running === 0 ? 0 : this.#runningWeight - weight;
  }

  // A loop instead of recursion: all waiting tasks may end as soon as they start.
  #startWaiting(): void {
    if (this.#isStarting) return;
    this.#isStarting = true;
    try {
      for (const [caller, tasks] of this.#waiting) {
        const [task] = tasks;
        if (task === undefined || !this.#hasRoom) break;
        this.#remove(caller, tasks, task);
        // A caller with more tasks waits behind the others.
        if (this.#waiting.delete(caller)) this.#waiting.set(caller, tasks);
        this.#running += 1;
        this.#runningWeight += task.weight;
        task.run();
      }
    } finally {
      this.#isStarting = false;
    }
    if (this.#running === 0 && this.#queued === 0) this.empty();
  }

  /** Rejects the last task of the caller that has most, unless this one would have as many. */
  #displaced(caller: string): boolean {
    let most: [string, Set<Waiting>] = [caller, this.#waiting.get(caller) ?? new Set()];
    const fewest = most[1].size + 2;
    for (const entry of this.#waiting) if (entry[1].size > most[1].size) most = entry;
    const last = [...most[1]].at(-1);
    if (last === undefined || most[1].size < fewest) return false;
    this.#remove(...most, last);
    last.reject();
    return true;
  }

  #remove(caller: string, tasks: Set<Waiting>, task: Waiting): void {
    tasks.delete(task);
    this.#queued -= 1;
    if (tasks.size === 0) this.#waiting.delete(caller);
  }
}
