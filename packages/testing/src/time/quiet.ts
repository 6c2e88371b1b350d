interface Platform {
  readonly process?: { readonly nextTick?: (task: () => void) => void };
  readonly setImmediate?: (task: () => void) => unknown;
}

// Taken when the module loads, so that another fake clock which is installed later holds nothing up.
const { process, setImmediate: immediate } = globalThis as Platform;
const tick = process?.nextTick;
const microtask = globalThis.queueMicrotask;

/** Runs a task once all microtasks have run, and all that they queue; on Node what `nextTick` holds as well. */
export const afterMicrotasks: (task: () => void) => void =
  tick === undefined ? afterTurn : (task) => microtask(() => tick.call(process, task));

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
