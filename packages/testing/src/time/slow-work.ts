/**
 * Counts what the platform's cryptography has in hand. It works in threads of its own, which know nothing of a virtual clock:
 * the clock stands still for them.
 */
export class SlowWork {
  private inHand = 0;
  private readonly restores: (() => void)[] = [];

  get isBusy(): boolean {
    return this.inHand > 0;
  }

  install(): void {
    const { subtle } = globalThis.crypto ?? {};
    if (subtle === undefined) return;
    for (const name of [
      'encrypt',
      'decrypt',
      'digest',
      'importKey',
      'deriveBits',
      'sign',
      'verify',
    ] as const) {
      const original = subtle[name] as (...args: unknown[]) => Promise<unknown>;
      const counted = (...args: unknown[]): Promise<unknown> => {
        this.inHand += 1;
        const done = (): void => void (this.inHand -= 1);
        const work = original.apply(subtle, args);
        work.then(done, done);
        return work;
      };
      Object.defineProperty(subtle, name, { value: counted, configurable: true, writable: true });
      this.restores.push(() => delete (subtle as Partial<Record<typeof name, unknown>>)[name]);
    }
  }

  restore(): void {
    for (const restore of this.restores.splice(0)) restore();
  }
}
