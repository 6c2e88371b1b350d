const perTurn = 1_024;
/** Its `then` is a microtask; Node's own `queueMicrotask` does several times the work of one. */
const settled = Promise.resolve();

/** Runs flushes in microtasks, and every 1,024 deliveries in a macrotask, so that timers and I/O of the process get their turn. */
export class Burst {
  private deliveries = 0;

  /** Counts one delivery; true when the flush should stop here and be scheduled again. */
  spent(): boolean {
    this.deliveries += 1;
    return this.deliveries >= perTurn;
  }

  schedule(flush: () => void): void {
    if (this.deliveries < perTurn) {
      void settled.then(flush);
      return;
    }
    this.deliveries = 0;
    macrotask(flush);
  }
}

// Taken when the module loads: a test's virtual clock holds back the application's timers, not messages.
const immediate = (globalThis as { setImmediate?: (task: () => void) => unknown }).setImmediate;
const timeout = globalThis.setTimeout;

function macrotask(task: () => void): void {
  // Of this a virtual clock hears, and gives the platform the turn that the task needs.
  queueMicrotask(nothing);
  if (immediate === undefined) timeout(task, 0);
  else immediate(task);
}

function nothing(): void {}
