type Work = (...args: unknown[]) => unknown;

/** What Node calls its requests to read, write and close files. */
const fileWork = /^(FSReq|CloseReq)/;

interface Platform {
  readonly process?: { readonly getActiveResourcesInfo?: () => readonly string[] };
}

/**
 * Tracks the running operations of the platform's cryptography and of file access in Node. They run in other threads, without a
 * virtual clock: the clock waits for them.
 */
export class SlowWork {
  #inHand = 0;
  readonly #restores: (() => void)[] = [];

  get isBusy(): boolean {
    return this.#inHand > 0;
  }

  /** Whether a file is being read or written; asking costs more than a timer does. */
  get hasFiles(): boolean {
    const { process } = globalThis as Platform;
    return process?.getActiveResourcesInfo?.().some((name) => fileWork.test(name)) === true;
  }

  install(): void {
    const subtle = globalThis.crypto?.subtle as unknown as Record<string, unknown> | undefined;
    if (subtle === undefined) return;
    for (const [name, original] of methodsOf(subtle)) {
      const own = Object.getOwnPropertyDescriptor(subtle, name);
      const value = this.#counted(subtle, original);
      Object.defineProperty(subtle, name, { value, configurable: true, writable: true });
      this.#restores.push(() => {
        if (own === undefined) delete subtle[name];
        else Object.defineProperty(subtle, name, own);
      });
    }
  }

  restore(): void {
    for (const restore of this.#restores.splice(0)) restore();
  }

  #counted(subtle: object, original: Work): Work {
    const done = (): void => void (this.#inHand -= 1);
    return (...args) => {
      const work = original.apply(subtle, args);
      this.#inHand += 1;
      Promise.resolve(work).then(done, done);
      return work;
    };
  }
}

/** All that there are: newer platforms have more. Those of web interfaces can be enumerated, though they are inherited. */
function methodsOf(target: Readonly<Record<string, unknown>>): [string, Work][] {
  const methods: [string, Work][] = [];
  for (const name in target) {
    const method = target[name];
    if (typeof method === 'function') methods.push([name, method as Work]);
  }
  return methods;
}
