import { type Subscriber, config } from 'rxjs';

/**
 * Sends events to many subscribers in the same order. An event that a subscriber causes in its `next` waits until
 * all have received the one before. Adding or removing a subscriber meanwhile does not affect the others.
 */
export class Fanout<T> {
  readonly subscribers = new Set<Subscriber<T>>();
  readonly #queue: { readonly to: Subscriber<T>[]; readonly how: (to: Subscriber<T>) => void }[] = [];
  #busy = false;

  /** Calls a function for each current subscriber. */
  forEach(how: (to: Subscriber<T>) => void): void {
    if (this.subscribers.size === 0) return;
    this.#queue.push({ to: [...this.subscribers], how });
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (let event = this.#queue.shift(); event !== undefined; event = this.#queue.shift()) {
        for (const subscriber of event.to) handOver(event.how, subscriber);
      }
    } finally {
      this.#busy = false;
    }
  }
}

// An error in the teardown of one subscriber must not keep the end from the others.
function handOver<T>(how: (to: Subscriber<T>) => void, subscriber: Subscriber<T>): void {
  try {
    how(subscriber);
  } catch (cause) {
    unhandled(cause);
  }
}

/** Reports an error without a receiver the way RxJS does: thrown in a task of its own, so that nothing else stops. */
export function unhandled(error: unknown): void {
  setTimeout(() => {
    if (config.onUnhandledError === null) throw error;
    config.onUnhandledError(error);
  }, 0);
}
