import { Clock } from './clock.js';
import { install } from './globals.js';
import { ClockRunner } from './clock-runner.js';
import { SlowWork } from './pending-platform-work.js';

/** Options of {@link virtualTime}. */
export interface VirtualTimeOptions {
  /** What `Date` says at the start. @default 2026-01-01T00:00:00Z */
  readonly startAt?: Date | number;
  /** Makes `Math.random` the same in every run, and with it every random pause. @default 1 */
  readonly seed?: number;
}

/** A clock that moves only on request. */
export interface VirtualTime {
  /** Milliseconds since the start. */
  readonly nowMs: number;
  /** Timers that wait. */
  readonly pendingTimers: number;
  /**
   * Moves on by so many milliseconds; each timer runs at its time, with all that follows from it. Within what a timer runs it is for
   * others as well that the time goes no further before. Rejects with what a timer throws, with an error once the clock is closed,
   * with a TypeError where it is given no number of milliseconds.
   */
  advance(ms: number): Promise<void>;
  /** Lets everything happen that needs no time. */
  settle(): Promise<void>;
  /**
   * Moves on, timer by timer, until a promise settles and all that is due in that moment has run; gives what it gives. Rejects with
   * what a timer throws, with an error once the clock is closed, and when it waits for something that no timer brings: work of the
   * platform gets half a second of real time, endless timers end after a million, with an error that names those that are next.
   */
  run<T>(promise: PromiseLike<T>): Promise<T>;
  /** Restores the platform's own clock. Pending timers are dropped, and pending calls that wait for the time to move fail. */
  close(): void;
  [Symbol.dispose](): void;
}

let isOpen = false;

/**
 * Puts a virtual clock in the place of the platform's timers, `Date`, `performance.now`, `Math.random` and
 * `AbortSignal.timeout`, until it is closed. No real timer runs. What is due at the same time runs in the order in which it
 * was started, and everything that follows from one timer happens before the next. The clock stands still for the platform's
 * cryptography and for files that Node reads. Throws a TypeError while another one is open.
 *
 * Code that looks up the global timers at each use gets virtual ones: rxmcp, RxJS and most code. Code that copied `setTimeout` when
 * its module loaded, or imports `node:timers`, keeps the real one. Sockets and child processes always run in real time.
 *
 * @example
 * using time = virtualTime();
 * const late = once(remote.request('own/never', {}, { timeoutMs: 60_000 })).catch((error) => error.code);
 * console.log(await time.run(late), time.nowMs); // TIMEOUT 60000
 */
export function virtualTime(options: VirtualTimeOptions = {}): VirtualTime {
  if (isOpen) throw new TypeError('`virtualTime`: another virtual clock is active; close it first');
  const { startAt = Date.UTC(2026, 0, 1), seed = 1 } = options;
  const clock = new Clock();
  const work = new SlowWork();
  const restore = install(clock, Number(startAt), seeded(seed));
  work.install();
  isOpen = true;
  const mover = new ClockRunner(clock, work);
  let isClosed = false;

  const advance = (ms: number): Promise<void> =>
    Number.isFinite(ms)
      ? mover.to(clock.nowMs + Math.max(0, ms))
      : Promise.reject(new TypeError(`a clock cannot advance by ${ms} ms`));
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    isOpen = false;
    work.restore();
    restore();
    mover.stop();
  };
  return {
    get nowMs() {
      return clock.nowMs;
    },
    get pendingTimers() {
      return clock.alarms.size;
    },
    advance,
    settle: () => advance(0),
    async run<T>(promise: PromiseLike<T>): Promise<T> {
      let isSettled = false;
      const settled = (): void => void (isSettled = true);
      promise.then(settled, settled);
      await mover.until(() => isSettled);
      return promise;
    },
    close,
    [Symbol.dispose]: close,
  };
}

/** Whether a virtual clock is open. */
export function isTimeVirtual(): boolean {
  return isOpen;
}

/** Numbers from 0 to 1 that look random and are the same for the same seed (a 32-bit xorshift over a Weyl sequence). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
}
