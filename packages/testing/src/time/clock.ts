import { Alarms } from './alarms.js';
import { Timer } from './timer.js';

/** A longer delay overflows in every platform, and is none. */
const longestMs = 2 ** 31 - 1;

/** The time, and what is to happen in it. */
export class Clock {
  nowMs = 0;
  /** Goes up with whatever code does that uses time, so that standing still can be told. */
  stirs = 0;
  readonly alarms = new Alarms();
  /** Those that somebody made a number of, as browsers do: that is all they may be stopped by. */
  private readonly numbered = new Map<number, Timer>();
  private count = 0;

  /** Runs something after a delay, once or again and again. */
  start(task: () => void, delay: unknown, repeats: boolean): Timer {
    const timer = new Timer(this, task, lawful(delay), repeats);
    this.stirs += 1;
    timer.begin();
    return timer;
  }

  /** Takes back what was started; false for what is not of this clock, or over. */
  stop(given: unknown): boolean {
    const timer =
      typeof given === 'object' ? given instanceof Timer && given : this.numbered.get(Number(given));
    if (!timer || !timer.isOf(this) || !timer.end()) return false;
    this.stirs += 1;
    return true;
  }

  /** A number by which the timer can be stopped from now on. */
  numberOf(timer: Timer): number {
    this.numbered.set((this.count += 1), timer);
    return this.count;
  }

  /** The timer is over: its number means nothing any more. */
  forget(number: number): void {
    this.numbered.delete(number);
  }
}

function lawful(delay: unknown): number {
  const ms = Math.ceil(Number(delay ?? 0));
  if (ms > longestMs) return 1;
  return ms > 0 ? ms : 0;
}
