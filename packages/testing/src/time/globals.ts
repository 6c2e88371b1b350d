import type { Clock } from './clock.js';

type Task = (...args: unknown[]) => void;

/** The globals that are virtual inside a scope. A name that the platform lacks stays absent. */
function replacements(clock: Clock, startAtMs: number, random: () => number): [object, string, unknown][] {
  const real = globalThis as unknown as Record<string, (given: unknown) => void>;
  const bound = (task: Task, args: unknown[]): (() => void) => {
    if (typeof task !== 'function')
      throw new TypeError('`setTimeout` and `setInterval` need a function here');
    return args.length === 0 ? (task as () => void) : () => task(...args);
  };
  // Timers that were started before the scope are stopped by the real functions.
  const stopping = (name: string): ((given: unknown) => void) => {
    const before = real[name];
    return (given) => {
      if (!clock.stop(given)) before?.(given);
    };
  };
  const once = (task: Task, delay?: unknown, ...args: unknown[]): unknown =>
    clock.start(bound(task, args), delay, false);
  const again = (task: Task, delay?: unknown, ...args: unknown[]): unknown =>
    clock.start(bound(task, args), delay, true);
  const soon = (task: Task, ...args: unknown[]): unknown => clock.start(bound(task, args), 0, false);
  const date = virtualDate(() => startAtMs + clock.nowMs);
  return [
    [globalThis, 'setTimeout', promisable(once, clock, true)],
    [globalThis, 'setInterval', again],
    [globalThis, 'setImmediate', promisable(soon, clock, false)],
    [globalThis, 'clearTimeout', stopping('clearTimeout')],
    [globalThis, 'clearInterval', stopping('clearInterval')],
    [globalThis, 'clearImmediate', stopping('clearImmediate')],
    [globalThis, 'queueMicrotask', stirring(clock, globalThis.queueMicrotask)],
    [globalThis, 'Date', date],
    [date.prototype, 'constructor', date],
    [performance, 'now', () => clock.nowMs],
    [Math, 'random', random],
    [AbortSignal, 'timeout', timeoutOf(clock)],
  ];
}

/** Puts a clock in the place of the platform's; returns what undoes it. */
export function install(clock: Clock, startAtMs: number, random: () => number): () => void {
  const undo = replacements(clock, startAtMs, random).flatMap(([target, name, value]) => {
    if (!(name in target)) return [];
    const own = Object.getOwnPropertyDescriptor(target, name);
    Object.defineProperty(target, name, {
      value,
      configurable: true,
      writable: true,
      enumerable: own?.enumerable ?? true,
    });
    return [
      () => {
        if (own === undefined) delete (target as Record<string, unknown>)[name];
        else Object.defineProperty(target, name, own);
      },
    ];
  });
  return () => {
    for (const restore of undo.splice(0)) restore();
  };
}

function stirring(clock: Clock, queue: typeof queueMicrotask): typeof queueMicrotask {
  return (task) => {
    clock.stirs += 1;
    queue(task);
  };
}

function virtualDate(now: () => number): DateConstructor {
  return new Proxy(Date, {
    construct: (target, args: unknown[], made) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, made) as Date,
    apply: () => new Date(now()).toString(),
    get: (target, name, receiver) =>
      name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown),
  });
}

function timeoutOf(clock: Clock): (ms: number) => AbortSignal {
  return (ms) => {
    const controller = new AbortController();
    const reason = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
    clock.start(() => controller.abort(reason), ms, false);
    return controller.signal;
  };
}

/** By this Node's `promisify` finds what returns a promise. */
const custom = Symbol.for('nodejs.util.promisify.custom');

/** Gives a timer function its promised form, as Node's have one. */
function promisable<T extends object>(timer: T, clock: Clock, takesDelay: boolean): T {
  const later = (...[delay, ...rest]: unknown[]): Promise<unknown> =>
    takesDelay ? promised(clock, delay, ...rest) : promised(clock, 0, delay, ...rest);
  return Object.defineProperty(timer, custom, { value: later });
}

function promised(clock: Clock, delay: unknown, value?: unknown, options?: unknown): Promise<unknown> {
  const { signal } = (options ?? {}) as { readonly signal?: AbortSignal };
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clock.stop(timer);
      reject(new DOMException('The operation was aborted', 'AbortError'));
    };
    const timer = clock.start(
      () => {
        signal?.removeEventListener('abort', abort);
        resolve(value);
      },
      delay,
      false,
    );
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
