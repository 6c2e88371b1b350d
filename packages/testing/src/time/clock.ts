/** Something that is due at a time of the virtual clock. */
export interface ScheduledTimer {
  readonly due: number;
  /** Orders timers that are due at the same time: the first made runs first. */
  readonly order: number;
  /** Whether it waits anew when it runs. */
  readonly repeats: boolean;
  run(): void;
  /** What it is, and when it is due. */
  describe(): string;
}

/** What is due, soonest last, so that taking it moves nothing. */
class TimerQueue {
  readonly #waiting: ScheduledTimer[] = [];
  #made = 0;

  get size(): number {
    return this.#waiting.length;
  }

  /** What is due next, if anything is. */
  get next(): ScheduledTimer | undefined {
    return this.#waiting.at(-1);
  }

  /** The order of the newest one. */
  get newest(): number {
    return this.#made;
  }

  /** The order of the next one that is made. */
  nextOrder(): number {
    return (this.#made += 1);
  }

  /** So many of those that are due first. */
  soonest(count: number): readonly ScheduledTimer[] {
    return this.#waiting.slice(-count).reverse();
  }

  /** Adds one that does not wait yet; while it waits it is not to be changed. */
  add(alarm: ScheduledTimer): void {
    const waiting = this.#waiting;
    const place = this.#placeOf(alarm);
    // Most are due before all others, so that they stand last.
    if (place === waiting.length) waiting.push(alarm);
    else waiting.splice(place, 0, alarm);
  }

  remove(alarm: ScheduledTimer): void {
    const place = this.#placeOf(alarm);
    if (this.#waiting[place] === alarm) this.#waiting.splice(place, 1);
  }

  take(): ScheduledTimer | undefined {
    return this.#waiting.pop();
  }

  /** Where it stands, or would stand: after all that are due later than it. */
  #placeOf({ due, order }: ScheduledTimer): number {
    let [low, high] = [0, this.#waiting.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#waiting[middle] as ScheduledTimer;
      const isLater = other.due > due || (other.due === due && other.order > order);
      if (isLater) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The longest delay in milliseconds. A longer one overflows on every platform and counts as 1 ms. */
const longestMs = 2 ** 31 - 1;

/** The time, and what is to happen in it. */
export class Clock {
  nowMs = 0;
  /** Counts every use of the clock, so that a standstill can be detected. */
  stirs = 0;
  readonly alarms = new TimerQueue();
  /** Timers that were converted to a number, as in browsers: `clearTimeout` may receive only the number. */
  readonly #numbered = new Map<number, Timer>();
  #count = 0;

  /** Runs something after a delay, once or again and again. */
  start(task: () => void, delay: unknown, repeats: boolean): Timer {
    const timer = new Timer(this, task, validDelay(delay), repeats);
    this.stirs += 1;
    timer.begin();
    return timer;
  }

  /** Stops a timer. Returns false if it is not of this clock, or has ended. */
  stop(given: unknown): boolean {
    const timer =
      typeof given === 'object' ? given instanceof Timer && given : this.#numbered.get(Number(given));
    if (!timer || !timer.isOf(this) || !timer.end()) return false;
    this.stirs += 1;
    return true;
  }

  /** A number by which the timer can be stopped from now on. */
  numberOf(timer: Timer): number {
    this.#numbered.set((this.#count += 1), timer);
    return this.#count;
  }

  /** The timer is over: its number means nothing any more. */
  forget(number: number): void {
    this.#numbered.delete(number);
  }
}

function validDelay(delay: unknown): number {
  const ms = Math.ceil(Number(delay ?? 0));
  if (ms > longestMs) return 1;
  return ms > 0 ? ms : 0;
}

/** What a virtual `setTimeout` returns; a superset of what Node and browsers give. A day makes a hundred thousand of them. */
class Timer implements ScheduledTimer {
  due = 0;
  order = 0;
  #waits = false;
  #cleared = false;
  #isHeld = true;
  #number: number | undefined = undefined;

  constructor(
    private readonly clock: Clock,
    private readonly task: () => void,
    private readonly delayMs: number,
    readonly repeats: boolean,
  ) {}

  isOf(clock: Clock): boolean {
    return this.clock === clock;
  }

  /** Waits from now on. */
  begin(ms = this.delayMs): void {
    const { alarms, nowMs } = this.clock;
    this.due = nowMs + ms;
    this.order = alarms.nextOrder();
    this.#waits = true;
    alarms.add(this);
  }

  /** Waits no longer, and never again; false when it did not wait. */
  end(): boolean {
    this.#cleared = true;
    if (!this.#waits) return false;
    this.#over();
    this.clock.alarms.remove(this);
    return true;
  }

  run(): void {
    // RxJS schedules with intervals that it stops after one run; an interval of 0 ms would stop virtual time from advancing.
    if (this.repeats) this.begin(Math.max(1, this.delayMs));
    else this.#over();
    const { task } = this;
    task();
  }

  ref(): this {
    this.#isHeld = true;
    return this;
  }

  unref(): this {
    this.#isHeld = false;
    return this;
  }

  hasRef(): boolean {
    return this.#isHeld;
  }

  /** Begins anew, as in Node also when its time has come already: only what was cleared stays over. */
  refresh(): this {
    if (this.#cleared) return this;
    this.clock.stirs += 1;
    if (this.#waits) this.clock.alarms.remove(this);
    this.begin();
    return this;
  }

  close(): this {
    this.clock.stop(this);
    return this;
  }

  describe(): string {
    const name = this.task.name === '' ? 'a function' : this.task.name;
    return this.repeats ? `${name} each ${this.delayMs} ms` : `${name} at ${this.due} ms`;
  }

  [Symbol.toPrimitive](): number {
    return (this.#number ??= this.clock.numberOf(this));
  }

  [Symbol.dispose](): void {
    this.clock.stop(this);
  }

  #over(): void {
    this.#waits = false;
    if (this.#number !== undefined) this.clock.forget(this.#number);
    this.#number = undefined;
  }
}
