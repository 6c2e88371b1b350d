import type { Alarm } from './alarms.js';
import type { Clock } from './clock.js';

/** What a virtual `setTimeout` returns; a superset of what Node and browsers give. A day makes a hundred thousand of them. */
export class Timer implements Alarm {
  due = 0;
  order = 0;
  private waits = false;
  private cleared = false;
  private isHeld = true;
  private number: number | undefined = undefined;

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
    this.waits = true;
    alarms.add(this);
  }

  /** Waits no longer, and never again; false when it did not wait. */
  end(): boolean {
    this.cleared = true;
    if (!this.waits) return false;
    this.over();
    this.clock.alarms.remove(this);
    return true;
  }

  run(): void {
    // RxJS waits with intervals that it stops at once; one that goes on without taking time would never let it pass.
    if (this.repeats) this.begin(Math.max(1, this.delayMs));
    else this.over();
    const { task } = this;
    task();
  }

  ref(): this {
    this.isHeld = true;
    return this;
  }

  unref(): this {
    this.isHeld = false;
    return this;
  }

  hasRef(): boolean {
    return this.isHeld;
  }

  /** Begins anew, as in Node also when its time has come already: only what was cleared stays over. */
  refresh(): this {
    if (this.cleared) return this;
    this.clock.stirs += 1;
    if (this.waits) this.clock.alarms.remove(this);
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
    return (this.number ??= this.clock.numberOf(this));
  }

  [Symbol.dispose](): void {
    this.clock.stop(this);
  }

  private over(): void {
    this.waits = false;
    if (this.number !== undefined) this.clock.forget(this.number);
    this.number = undefined;
  }
}
