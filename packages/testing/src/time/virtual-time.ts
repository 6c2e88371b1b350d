import { Clock } from './clock.js';
import { install } from './globals.js';
import { afterMicrotasks, afterTurn } from './quiet.js';
import { seeded } from './seeded.js';
import { SlowWork } from './slow-work.js';

/** Options of {@link virtualTime}. */
export interface VirtualTimeOptions {
  /** What `Date` says at the start. @default 2026-01-01T00:00:00Z */
  readonly startAt?: Date | number;
  /** Makes `Math.random` the same in every run, and with it every random pause. @default 1 */
  readonly seed?: number;
}

/** A clock that moves only when it is told to. */
export interface VirtualTime {
  /** Milliseconds since the start. */
  readonly nowMs: number;
  /** Timers that wait. */
  readonly pending: number;
  /** Moves on by so many milliseconds; each timer runs at its time, with all that follows from it. Rejects with what a timer throws. */
  advance(ms: number): Promise<void>;
  /** Lets everything happen that needs no time. */
  settle(): Promise<void>;
  /** Moves on, timer by timer, until a promise settles; gives what it gives. Rejects when it waits for something that no timer brings. */
  run<T>(promise: PromiseLike<T>): Promise<T>;
  /** Gives the platform its own clock back; timers that still wait are dropped. */
  close(): void;
  [Symbol.dispose](): void;
}

/** So many timers at one time run in a circle. */
const mostAtOnce = 10_000;
let isOpen = false;

/**
 * Puts a virtual clock in the place of the platform's timers, `Date`, `performance.now`, `Math.random` and
 * `AbortSignal.timeout`, until it is closed. No real timer runs. What is due at the same time runs in the order in which it
 * was started, and everything that follows from one timer happens before the next. Throws a TypeError while another one is open.
 *
 * Virtual is what looks its timers up when it needs them: this house, RxJS and most code. Who took `setTimeout` when its module
 * loaded, or imports `node:timers`, keeps the real one, and sockets and child processes live in real time anyway.
 *
 * @example
 * using time = virtualTime();
 * const late = once(remote.request('own/never', {}, { timeoutMs: 60_000 })).catch((error) => error.code);
 * console.log(await time.run(late), time.nowMs); // TIMEOUT 60000
 */
export function virtualTime(options: VirtualTimeOptions = {}): VirtualTime {
  if (isOpen) throw new TypeError('the time is virtual already: close the other clock first');
  const { startAt = Date.UTC(2026, 0, 1), seed = 1 } = options;
  const clock = new Clock();
  const work = new SlowWork();
  const restore = install(clock, Number(startAt), seeded(seed));
  work.install();
  isOpen = true;

  const advance = (ms: number): Promise<void> => {
    const until = clock.nowMs + Math.max(0, ms);
    return moved(clock, work, until, () => false).then(
      () => void (clock.nowMs = Math.max(clock.nowMs, until)),
    );
  };
  const close = (): void => {
    if (!isOpen || closed) return;
    closed = true;
    isOpen = false;
    work.restore();
    restore();
  };
  let closed = false;
  return {
    get nowMs() {
      return clock.nowMs;
    },
    get pending() {
      return clock.alarms.size;
    },
    advance,
    settle: () => advance(0),
    async run<T>(promise: PromiseLike<T>): Promise<T> {
      let settled: (() => T) | undefined;
      promise.then(
        (value) => void (settled = () => value),
        (error: unknown) => {
          settled = () => {
            throw error;
          };
        },
      );
      await moved(clock, work, Infinity, () => settled !== undefined);
      if (settled === undefined)
        throw new Error(`nothing is left to wait for at ${clock.nowMs} ms, and the promise is open`);
      return settled();
    },
    close,
    [Symbol.dispose]: close,
  };
}

/** Whether a virtual clock is open. */
export function isTimeVirtual(): boolean {
  return isOpen;
}

/** Runs all that is due up to a time. Callbacks, not promises: a day has a hundred thousand timers. */
function moved(clock: Clock, work: SlowWork, until: number, isDone: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let atOnce = 0;
    let stirs = clock.stirs - 1;
    const next = (): void => {
      // Whoever stirred may have more to say in a later turn; silence is when a whole turn brought nothing.
      if (work.isBusy || clock.stirs !== stirs) {
        stirs = clock.stirs;
        afterTurn(next);
        return;
      }
      const due = clock.alarms.nextDue;
      if (isDone() || due === undefined || due > until) return resolve();
      atOnce = due > clock.nowMs ? 0 : atOnce + 1;
      if (atOnce > mostAtOnce) return reject(new Error(`timers run in a circle at ${clock.nowMs} ms`));
      clock.nowMs = Math.max(clock.nowMs, due);
      stirs = clock.stirs;
      try {
        clock.alarms.take()?.run();
      } catch (error) {
        return reject(error as Error);
      }
      soon();
    };
    const soon = afterMicrotasks(next);
    soon();
  });
}
