/** The readings that wait for the first value of a live offer, by what they read. */
export class Readings {
  private readonly waiting = new Map<string, AbortSignal[]>();

  /** A reading waits until it is given up: its signal aborts, or `over` is called. */
  wait(uri: string, signal: AbortSignal): { over(): void } {
    const there = this.waiting.get(uri);
    if (there === undefined) this.waiting.set(uri, [signal]);
    else there.push(signal);
    return {
      over: () => {
        const left = (this.waiting.get(uri) ?? []).filter((other) => other !== signal);
        if (left.length > 0) this.waiting.set(uri, left);
        else this.waiting.delete(uri);
      },
    };
  }

  /** Takes one reading that still waits for this uri. False where there is none left. */
  take(uri: string): boolean {
    const there = this.waiting.get(uri) ?? [];
    for (let signal = there.pop(); signal !== undefined; signal = there.pop())
      if (!signal.aborted) return true;
    return false;
  }

  /** All of them have their answer. */
  clear(): void {
    this.waiting.clear();
  }
}
