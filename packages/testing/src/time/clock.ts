import type { Alarm } from './alarms.js';
import { Alarms } from './alarms.js';

/** A longer delay overflows in every platform, and is none. */
const longestMs = 2 ** 31 - 1;

/** What a virtual `setTimeout` returns; a superset of what Node and browsers give. */
export interface Handle {
  ref(): Handle;
  unref(): Handle;
  hasRef(): boolean;
  refresh(): Handle;
  close(): Handle;
  [Symbol.toPrimitive](): number;
  [Symbol.dispose](): void;
}

/** The time, and what is to happen in it. */
export class Clock {
  nowMs = 0;
  /** Goes up with whatever code does that uses time, so that standing still can be told. */
  stirs = 0;
  readonly alarms = new Alarms();
  private readonly handles = new Map<number, { alarm: Alarm | undefined }>();
  private count = 0;

  /** Runs something after a delay, once or again and again. */
  start(task: () => void, delay: unknown, repeats: boolean): Handle {
    const delayMs = lawful(delay);
    // RxJS waits with intervals that it stops at once; one that goes on without taking time would never let it pass.
    const everyMs = Math.max(1, delayMs);
    const number = (this.count += 1);
    const entry: { alarm: Alarm | undefined } = { alarm: undefined };
    const arm = (ms: number): void => {
      entry.alarm = this.alarms.add(this.nowMs + ms, fire);
    };
    const fire = (): void => {
      if (repeats) arm(everyMs);
      else this.handles.delete(number);
      task();
    };
    this.stirs += 1;
    this.handles.set(number, entry);
    arm(delayMs);
    const handle: Handle = {
      ref: () => handle,
      unref: () => handle,
      hasRef: () => this.handles.has(number),
      refresh: () => {
        if (this.stop(number)) {
          this.handles.set(number, entry);
          arm(delayMs);
        }
        return handle;
      },
      close: () => {
        this.stop(number);
        return handle;
      },
      [Symbol.toPrimitive]: () => number,
      [Symbol.dispose]: () => void this.stop(number),
    };
    return handle;
  }

  /** Takes back what was started; false for what is not of this clock, or over. */
  stop(given: unknown): boolean {
    const number = typeof given === 'object' && given !== null ? numberOf(given) : Number(given);
    const entry = this.handles.get(number);
    if (entry?.alarm === undefined) return false;
    this.stirs += 1;
    this.alarms.remove(entry.alarm);
    return this.handles.delete(number);
  }
}

function numberOf(given: object): number {
  const primitive = (given as Partial<Handle>)[Symbol.toPrimitive];
  return typeof primitive === 'function' ? Number(primitive.call(given)) : Number.NaN;
}

function lawful(delay: unknown): number {
  const ms = Math.ceil(Number(delay ?? 0));
  if (ms > longestMs) return 1;
  return ms > 0 ? ms : 0;
}
