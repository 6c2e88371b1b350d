/** Waits within the time of a rule; fails with what it waited for when the time is over. */
export interface Waiter {
  until(check: () => boolean, what: string): Promise<void>;
  within<T>(promise: Promise<T>, what: string): Promise<T>;
}

/** What a rule is waiting for, to be reported when its time is over. */
export class PendingWaits {
  readonly #open = new Set<{ readonly what: string }>();
  #sends = 0;

  async during<T>(what: string, promise: Promise<T>): Promise<T> {
    const wait = { what };
    this.#open.add(wait);
    try {
      return await promise;
    } finally {
      this.#open.delete(wait);
    }
  }

  /** Counts a send until it settles, without replacing the promise that the transport returned. */
  send(sent: Promise<void>): void {
    this.#sends += 1;
    const settled = (): void => {
      this.#sends -= 1;
    };
    sent.then(settled, settled);
  }

  /** How many sends have not settled. */
  get sends(): number {
    return this.#sends;
  }

  /** Names everything that has not happened yet. */
  text(): string {
    const sends = this.#sends === 0 ? [] : [`sends to settle (${String(this.#sends)})`];
    const open = [...[...this.#open].map(({ what }) => what), ...sends];
    return open.length === 0 ? 'a promise of its own' : open.join(' and ');
  }
}
