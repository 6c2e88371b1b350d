const perTurn = 1_024;

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
      queueMicrotask(flush);
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
  if (immediate === undefined) timeout(task, 0);
  else immediate(task);
}
