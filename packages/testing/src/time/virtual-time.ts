import { rejectUnknownOptions } from '@rxmcp/core/internal';
import { Clock } from './clock.js';
import { install } from './globals.js';
import { ClockRunner } from './clock-runner.js';
import { SlowWork } from './pending-platform-work.js';

/** Options of {@link virtualTime}. */
export interface VirtualTimeOptions {
  /** The time of `Date` at the start. @default 2026-01-01T00:00:00Z */
  readonly startAt?: Date | number;
  /** Seed of `Math.random`, so that random delays are the same in every run. @default 1 */
  readonly seed?: number;
}

const knownOptions: Record<keyof VirtualTimeOptions, true> = {
  startAt: true,
  seed: true,
};

/** A clock that moves only on request. */
export interface VirtualTime {
  /** Milliseconds since the start. */
  readonly nowMs: number;
  /** Number of pending timers. */
  readonly pendingTimers: number;
  /**
   * Advances the clock by a number of milliseconds; each timer runs at its time, with all microtasks that follow from it. Calls may
   * overlap; the clock then stops at each of their ends. Rejects with the error of a timer, with an error once the clock is closed,
   * and with a TypeError if `ms` is not a finite number.
   */
  advance(ms: number): Promise<void>;
  /** Runs everything that is due now, without advancing the clock. */
  settle(): Promise<void>;
  /**
   * Advances the clock, timer by timer, until a promise settles and everything due at that time has run. Resolves as the promise does.
   * Rejects with the error of a timer, with an error once the clock is closed, and if no timer can settle the promise: platform work
   * gets at least 1.5 s of real time, and after 1,000,000 timers the error names the next ones.
   */
  run<T>(promise: PromiseLike<T>): Promise<T>;
  /** Restores the platform's own clock. Pending timers are dropped, and pending calls that wait for the time to move fail. */
  close(): void;
  [Symbol.dispose](): void;
}

let isOpen = false;

/**
 * Replaces the platform's timers, `Date`, `performance.now`, `Math.random` and `AbortSignal.timeout` by a virtual clock, until it is
 * closed. No real timer runs. Timers that are due at the same time run in the order in which they were started, and all microtasks
 * of one timer run before the next. The clock waits for the platform's cryptography and for file access of Node.
 *
 * Code that looks up the global timers at each use gets virtual ones: rxmcp, RxJS and most code. Code that copied `setTimeout` when
 * its module loaded, or imports `node:timers`, keeps the real one. Sockets and child processes always run in real time.
 * @throws TypeError while another virtual clock is open
 * @example
 * using time = virtualTime();
 * const late = once(remote.request('own/never', {}, { idleTimeoutMs: 60_000 })).catch((error) => error.code);
 * console.log(await time.run(late), time.nowMs); // TIMEOUT 60000
 */
export function virtualTime(options: VirtualTimeOptions = {}): VirtualTime {
  rejectUnknownOptions('virtualTime', options, knownOptions, { now: 'startAt' });
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

/** Whether a virtual clock is active. */
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
