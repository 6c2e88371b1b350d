import type { ScheduledTimer, Clock } from './clock.js';
import type { SlowWork } from './pending-platform-work.js';

/** A wait for a time or a condition. */
interface Goal {
  /** The time goes no further before this is over. */
  readonly untilMs: number;
  isDone(): boolean;
  resolve(): void;
  reject(error: Error): void;
  /** Timers that ran for it. */
  ran: number;
}

/** Timers that start one another this often at one time are an endless loop. */
const longestCircle = 10_000;
/** After this many timers a promise counts as one that no timer settles. */
const mostTimers = 1_000_000;
/** After this many timers the platform gets a real turn, so that the timeout of a test runner can run. */
const timersPerTurn = 1_000;
/**
 * How often to look again for work of the platform that cannot be observed, 5 ms of real time apart. Looks are counted, so that
 * time in which the process was suspended does not count.
 */
const mostLooks = 300;

/** Moves a clock: one timer after the other, however many wait for the time to move. */
export class ClockRunner {
  #goals: Goal[] = [];
  #isStopped = false;
  #stirs = -1;
  /** Whether files are to be asked for: repeating timers are too many to ask after each. */
  #mayRead = true;
  /** How often timers that were started at this time have started others for it. */
  #rounds = 0;
  /** The newest timer when the round began. */
  #newest = 0;
  /** How often nothing was found to do. */
  #looks = 0;
  readonly #next = (): void => this.#step();
  readonly #soon = afterMicrotasks(this.#next);

  constructor(
    private readonly clock: Clock,
    private readonly work: SlowWork,
  ) {}

  /** Moves on until something is done. */
  until(isDone: () => boolean): Promise<void> {
    return this.#move(Infinity, isDone);
  }

  /** Moves on to a time. */
  to(untilMs: number): Promise<void> {
    return this.#move(untilMs, () => this.clock.nowMs >= untilMs);
  }

  /** Stops moving: current and later waits fail. */
  stop(): void {
    this.#isStopped = true;
    for (const goal of this.#goals.splice(0)) goal.reject(this.#closed());
  }

  #move(untilMs: number, isDone: () => boolean): Promise<void> {
    if (this.#isStopped) return Promise.reject(this.#closed());
    this.clock.stirs += 1;
    return new Promise((resolve, reject) => {
      this.#goals.push({ untilMs, isDone, resolve, reject, ran: 0 });
      if (this.#goals.length === 1) this.#soon();
    });
  }

  /** Callbacks, not promises: a day has a hundred thousand timers. */
  #step(): void {
    const { clock, work } = this;
    const goals = this.#goals;
    const goal = nearest(goals);
    if (goal === undefined) return;
    // Activity may continue in a later turn; the work is done only after a whole turn without any.
    if (work.isBusy || clock.stirs !== this.#stirs) {
      this.#stirs = clock.stirs;
      this.#mayRead = true;
      this.#looks = 0;
      return afterTurn(this.#next);
    }
    const alarm = clock.alarms.next;
    if (alarm === undefined || alarm.due > clock.nowMs) {
      if (this.#mayRead && (this.#mayRead = work.hasFiles)) return afterTurn(this.#next);
      const done = goals.find((one) => one.isDone());
      if (done !== undefined) return this.#over(done);
    }
    if (alarm !== undefined && alarm.due <= goal.untilMs) this.#run(alarm, goal);
    else if (goal.untilMs < Infinity) this.#arrive(goal);
    else this.#wait(goal);
  }

  #run(alarm: ScheduledTimer, goal: Goal): void {
    const { clock } = this;
    try {
      this.#count(alarm, goal);
      clock.nowMs = Math.max(clock.nowMs, alarm.due);
      this.#stirs = clock.stirs;
      this.#mayRead ||= !alarm.repeats;
      clock.alarms.take()?.run();
    } catch (error) {
      return this.#over(goal, error as Error);
    }
    if (goal.ran % timersPerTurn === 0) afterTurn(this.#next);
    else this.#soon();
  }

  #count(alarm: ScheduledTimer, goal: Goal): void {
    const { alarms, nowMs } = this.clock;
    const isLater = alarm.due > nowMs;
    if (isLater || alarm.order > this.#newest) {
      this.#rounds = isLater ? 0 : this.#rounds + 1;
      this.#newest = alarms.newest;
    }
    goal.ran += 1;
    if (this.#rounds > longestCircle) throw new Error(`timers start one another without end at ${nowMs} ms`);
    if (goal.untilMs < Infinity || goal.ran <= mostTimers) return;
    const waiting = alarms
      .soonest(5)
      .map((one) => one.describe())
      .join(', ');
    throw new Error(
      `${mostTimers} timers ran up to ${nowMs} ms, and the promise is pending; next: ${waiting}`,
    );
  }

  #closed(): Error {
    return new Error(`the virtual time was closed at ${this.clock.nowMs} ms`);
  }

  #arrive(goal: Goal): void {
    this.clock.nowMs = goal.untilMs;
    this.#over(goal);
  }

  #wait(goal: Goal): void {
    // A little later in real time, which leaves the processor to others.
    if ((this.#looks += 1) <= mostLooks) return void later(this.#next, 5);
    const { nowMs } = this.clock;
    this.#over(goal, new Error(`no timer is left at ${nowMs} ms, and the promise is pending`));
  }

  /** What follows from its end comes before the time moves on for others. */
  #over(goal: Goal, error?: Error): void {
    this.#goals = this.#goals.filter((one) => one !== goal);
    if (error === undefined) goal.resolve();
    else goal.reject(error);
    this.clock.stirs += 1;
    if (this.#goals.length > 0) this.#soon();
  }
}

/** What ends first; of two that end at the same time what began last: it may be a part of the other. */
function nearest(goals: readonly Goal[]): Goal | undefined {
  let found: Goal | undefined;
  for (const goal of goals) if (found === undefined || goal.untilMs <= found.untilMs) found = goal;
  return found;
}

interface Platform {
  readonly process?: { readonly nextTick?: (task: () => void) => void };
  readonly setImmediate?: (task: () => void) => unknown;
}

// Taken when the module loads, so that another fake clock which is installed later holds nothing up.
const { process, setImmediate: immediate } = globalThis as Platform;
const { setTimeout: later } = globalThis;
const tick = process?.nextTick;

/**
 * Makes what runs a task once all microtasks have run, and all that they queue; on Node what `nextTick` holds as well. Nothing is
 * made per run, since a day has a hundred thousand of them.
 */
function afterMicrotasks(task: () => void): () => void {
  if (tick === undefined) return () => afterTurn(task);
  const done = Promise.resolve();
  const soon = (): void => tick.call(process, task);
  return () => void done.then(soon);
}

/** Runs a task in a later turn of the event loop, without a timer. */
function afterTurn(task: () => void): void {
  if (immediate !== undefined) {
    immediate(task);
    return;
  }
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    task();
  };
  port2.postMessage(0);
}
