/*
 * The real clock, taken when the module loads: a test file that installs virtual time afterwards does not stop the kit.
 */
const realTimeout = globalThis.setTimeout;
const realClear = globalThis.clearTimeout;
const realImmediate = (globalThis as { setImmediate?: (run: () => void) => unknown }).setImmediate;
const realNow = performance.now.bind(performance);

/** Milliseconds on a monotonic clock. */
export function now(): number {
  return realNow();
}

/** Resolves after `count` macrotasks. */
export async function turns(count = 1): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await new Promise<void>((resolve) => {
      if (realImmediate === undefined) realTimeout(resolve, 0);
      else realImmediate(resolve);
    });
  }
}

/** Resolves after at least `ms` milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    realTimeout(resolve, ms);
  });
}

/** Rejects with the result of `late` when the promise has not settled after `ms` milliseconds. */
export async function inTime<T>(promise: Promise<T>, ms: number, late: () => Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = realTimeout(() => reject(late()), ms);
  });
  try {
    return await Promise.race([promise, over]);
  } finally {
    realClear(timer);
  }
}

/** How often a condition is polled at least: a busy machine may not have run this process meanwhile. */
const leastPolls = 60;

/** Polls once per macrotask, later once per millisecond; true as soon as `check` holds, false after `withinMs`. */
export async function holdsWithin(check: () => boolean, withinMs: number): Promise<boolean> {
  const end = realNow() + withinMs;
  for (let polls = 0; !check(); polls += 1) {
    if (realNow() >= end && polls >= leastPolls) return false;
    if (polls < 50) await turns();
    else await pause(1);
  }
  return true;
}

/** Resolves after the time in which an extra message of a faulty transport would arrive. */
export async function quiet(): Promise<void> {
  await turns(5);
  await pause(3);
}

/** Resolves after the time in which what a transport delays would arrive: a message, an end, the clean-up of a connection. */
export function lateArrivals(): Promise<void> {
  return pause(50);
}
