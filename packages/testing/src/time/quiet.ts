interface Platform {
  readonly process?: { readonly nextTick?: (task: () => void) => void };
  readonly setImmediate?: (task: () => void) => unknown;
}

// Taken when the module loads, so that another fake clock which is installed later holds nothing up.
const { process, setImmediate: immediate } = globalThis as Platform;
const { performance, setTimeout: later } = globalThis;
const tick = process?.nextTick;
const { now } = performance;

/** Milliseconds of the platform's own clock, which goes on while the virtual one stands still. */
export function realNow(): number {
  return now.call(performance);
}

/**
 * Makes what runs a task once all microtasks have run, and all that they queue; on Node what `nextTick` holds as well. Nothing is
 * made per run, since a day has a hundred thousand of them.
 */
export function afterMicrotasks(task: () => void): () => void {
  if (tick === undefined) return () => afterTurn(task);
  const done = Promise.resolve();
  const soon = (): void => tick.call(process, task);
  return () => void done.then(soon);
}

/** Runs a task in a later turn of the event loop, without a timer. */
export function afterTurn(task: () => void): void {
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

/** Runs a task a little later in real time, which leaves the processor to others. */
export function afterPause(task: () => void): void {
  later(task, 5);
}
