import { clampTimeout } from '../base/timers.js';

/** Runs tasks in order, each after its own delay, and never inside the call that adds one. */
export class DelayQueue {
  readonly #tasks: { readonly nextAt: number; readonly run: () => void }[] = [];
  #lastDueAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param delayMs Returns how long the next task waits at least, in milliseconds. It also waits for the previous task. */
  constructor(private readonly delayMs: () => number) {}

  add(run: () => void): void {
    this.#lastDueAt = Math.max(this.#lastDueAt, performance.now() + this.delayMs());
    this.#tasks.push({ nextAt: this.#lastDueAt, run });
    if (this.#timer === undefined) this.#schedule();
  }

  /** Runs everything now. */
  flush(): void {
    this.#cancel();
    for (let task = this.#tasks.shift(); task !== undefined; task = this.#tasks.shift()) task.run();
    this.#cancel();
  }

  /** Drops everything. */
  clear(): void {
    this.#cancel();
    this.#tasks.length = 0;
  }

  readonly #runDue = (): void => {
    // The timer stays set while tasks run: what they add comes after them, not inside them.
    const now = performance.now();
    while (this.#tasks[0] !== undefined && this.#tasks[0].nextAt <= now) this.#tasks.shift()?.run();
    this.#timer = undefined;
    if (this.#tasks.length > 0) this.#schedule();
  };

  #schedule(): void {
    const dueAt = this.#tasks[0]?.nextAt ?? 0;
    // Rounded up: a timer that fires a fraction early would have to be set again.
    this.#timer = setTimeout(this.#runDue, clampTimeout(Math.ceil(Math.max(0, dueAt - performance.now()))));
  }

  #cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
