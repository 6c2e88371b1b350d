const perTurn = 1_024;

/**
 * Runs tasks in order, in microtasks, and never inside the call that adds them. After every 1,024 tasks it waits for a turn of the
 * event loop, so that two sides that answer each other at once do not starve timers and I/O.
 */
export class TaskQueue {
  #tasks: (() => void)[] = [];
  #scheduled = false;
  #ran = 0;

  later(task: () => void): void {
    this.#tasks.push(task);
    if (this.#scheduled) return;
    this.#scheduled = true;
    if (this.#ran < perTurn) {
      queueMicrotask(this.#run);
      return;
    }
    this.#ran = 0;
    setTimeout(this.#run, 0);
  }

  readonly #run = (): void => {
    const tasks = this.#tasks;
    this.#tasks = [];
    this.#scheduled = false;
    this.#ran += tasks.length;
    for (const task of tasks) task();
  };
}
