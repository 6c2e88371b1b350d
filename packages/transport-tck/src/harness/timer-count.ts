/** The part of `node:async_hooks` that is used. */
interface AsyncHooks {
  createHook(callbacks: {
    init(id: number, type: string): void;
    destroy(id: number): void;
    readonly trackPromises: boolean;
  }): Hook;
}

interface Hook {
  enable(): unknown;
  disable(): unknown;
}

/** Loaded by name at run time, so that the kit also loads outside Node. */
const hooks = (
  globalThis as { process?: { getBuiltinModule?(id: string): unknown } }
).process?.getBuiltinModule?.('node:async_hooks') as AsyncHooks | undefined;

/** Counts the timers that are set from now on and are still pending. Outside Node it stays 0. */
export class TimerCount {
  readonly #open = new Set<number>();
  readonly #hook: Hook | undefined;

  constructor() {
    this.#hook = hooks?.createHook({
      init: (id, type) => {
        if (type === 'Timeout') this.#open.add(id);
      },
      destroy: (id) => void this.#open.delete(id),
      // Newer versions of Node then skip promises, which are many.
      trackPromises: false,
    });
    this.#hook?.enable();
  }

  get size(): number {
    return this.#open.size;
  }

  /** Stops counting, since the hook slows the process. */
  stop(): void {
    this.#hook?.disable();
  }
}
