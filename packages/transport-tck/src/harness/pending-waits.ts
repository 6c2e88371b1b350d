/** Waits within the time of a law; fails with what it waited for when that time is over. */
export interface Waiter {
  until(check: () => boolean, what: string): Promise<void>;
  within<T>(promise: Promise<T>, what: string): Promise<T>;
}

/** What a law is waiting for at the moment, to be told when its time is over. */
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

  /** Counts a send until it settles; its promise stays the one that the transport gave. */
  send(sent: Promise<void>): void {
    this.#sends += 1;
    const settled = (): void => {
      this.#sends -= 1;
    };
    sent.then(settled, settled);
  }

  /** Those that have not settled. */
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
