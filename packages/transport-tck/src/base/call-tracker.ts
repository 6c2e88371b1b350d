/** Watches for deliveries that happen while a call into the transport has not returned yet. */
export class CallTracker {
  /** Entries such as `received inside send`. */
  readonly inside: string[] = [];
  #running: string | undefined;

  during<T>(name: string, call: () => T): T {
    const outer = this.#running;
    this.#running = name;
    try {
      return call();
    } finally {
      this.#running = outer;
    }
  }

  delivered(callback: string): void {
    if (this.#running !== undefined) this.inside.push(`${callback} inside ${this.#running}`);
  }
}
