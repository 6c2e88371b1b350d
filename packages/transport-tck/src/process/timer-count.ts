/** The part of `node:async_hooks` that is used. */
interface AsyncHooks {
  createHook(callbacks: {
    init(id: number, type: string, trigger: number, timer: Timer): void;
    before(id: number): void;
    destroy(id: number): void;
    readonly trackPromises: boolean;
  }): Hook;
}

interface Timer {
  hasRef(): boolean;
}

interface Hook {
  enable(): unknown;
  disable(): unknown;
}

/** Loaded by name at run time, so that the kit also loads outside Node. */
const hooks = (
  globalThis as { process?: { getBuiltinModule?(id: string): unknown } }
).process?.getBuiltinModule?.('node:async_hooks') as AsyncHooks | undefined;

/**
 * Counts the timers that are set from now on and are not cleared, outside Node none. Those of `AbortSignal.timeout` are not counted,
 * since nothing can clear them.
 */
export class TimerCount {
  readonly #open = new Map<number, Timer>();
  readonly #left = new Set<number>();
  /** Those that were left and have run. */
  readonly #ran = new Set<number>();
  readonly #hook: Hook | undefined;
  readonly #signalAfter = AbortSignal.timeout;
  #makesSignal = false;

  constructor() {
    AbortSignal.timeout = (ms) => {
      this.#makesSignal = true;
      try {
        return this.#signalAfter.call(AbortSignal, ms);
      } finally {
        this.#makesSignal = false;
      }
    };
    this.#hook = hooks?.createHook({
      init: (id, type, _trigger, timer) => {
        if (type === 'Timeout' && !this.#makesSignal) this.#open.set(id, timer);
      },
      before: (id) => {
        if (this.#left.has(id)) this.#ran.add(id);
      },
      destroy: (id) => void this.#open.delete(id),
      // Newer versions of Node then skip promises, which are many.
      trackPromises: false,
    });
    this.#hook?.enable();
  }

  /** How many are pending, or were left and have run. */
  get size(): number {
    return new Set([...this.#open.keys(), ...this.#ran]).size;
  }

  /** A connection has closed. A timer that keeps the process alive and is not cleared now, but runs later, stays counted. */
  closed(): void {
    for (const [id, timer] of this.#open) if (timer.hasRef()) this.#left.add(id);
  }

  /** Stops counting, since the hook slows the process. */
  stop(): void {
    this.#hook?.disable();
    AbortSignal.timeout = this.#signalAfter;
  }
}
