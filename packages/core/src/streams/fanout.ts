import type { Subscriber } from 'rxjs';
import { config } from 'rxjs';

/**
 * Hands events to many subscribers in one order for all: an event made inside a subscriber's `next` waits until the one
 * before has reached everybody. Who comes or leaves meanwhile changes nothing for the others.
 */
export class Fanout<T> {
  readonly subscribers = new Set<Subscriber<T>>();
  private readonly queue: { readonly to: Subscriber<T>[]; readonly how: (to: Subscriber<T>) => void }[] = [];
  private busy = false;

  /** Tells everybody who is subscribed at this moment. */
  tell(how: (to: Subscriber<T>) => void): void {
    if (this.subscribers.size === 0) return;
    this.queue.push({ to: [...this.subscribers], how });
    if (this.busy) return;
    this.busy = true;
    try {
      for (let event = this.queue.shift(); event !== undefined; event = this.queue.shift()) {
        for (const subscriber of event.to) handOver(event.how, subscriber);
      }
    } finally {
      this.busy = false;
    }
  }
}

// What the teardown of one subscriber throws, when it is told the end, must not keep the end from the others.
function handOver<T>(how: (to: Subscriber<T>) => void, subscriber: Subscriber<T>): void {
  try {
    how(subscriber);
  } catch (cause) {
    unhandled(cause);
  }
}

/** Tells of an error that nobody is there to take, in the way of RxJS: on its own, so that it stops nothing else. */
export function unhandled(error: unknown): void {
  setTimeout(() => {
    if (config.onUnhandledError === null) throw error;
    config.onUnhandledError(error);
  }, 0);
}
