import type { Lane } from '../contract/contract.js';
import { TransportError } from '../contract/error.js';

type Fail = (error: TransportError) => void;

/** Keeps the sends that a channel has not accepted. Each settles with its channel, its lane or its connection, whichever is first. */
export class WaitingSends {
  readonly #sends = new Map<Fail, Lane | undefined>();

  /** @param changed Called with true when the first send waits, and with false when none waits any more. */
  constructor(private readonly changed: (isWaiting: boolean) => void) {}

  /** Returns a promise that settles like `accepted`, or rejects earlier with the end of its lane or of the connection. */
  add(accepted: Promise<void>, lane: Lane | undefined): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const settled = (): void => {
        if (this.#sends.delete(reject) && this.#sends.size === 0) this.changed(false);
      };
      this.#sends.set(reject, lane);
      if (this.#sends.size === 1) this.changed(true);
      accepted.then(
        () => (settled(), resolve()),
        (cause: unknown) => (settled(), reject(TransportError.from(cause, 'SEND_FAILED'))),
      );
    });
  }

  /** Rejects the sends of one lane. */
  failLane(lane: Lane, error: TransportError | undefined): void {
    if (this.#sends.size === 0) return;
    const cause = error ?? new TransportError('CLOSED', 'the request of the message has ended');
    for (const [fail, own] of this.#sends) {
      if (own !== lane) continue;
      this.#sends.delete(fail);
      fail(cause);
    }
    if (this.#sends.size === 0) this.changed(false);
  }

  /** Rejects all sends. */
  fail(error: TransportError | undefined): void {
    if (this.#sends.size === 0) return;
    const cause = error ?? new TransportError('CLOSED', 'the connection closed meanwhile');
    for (const fail of this.#sends.keys()) fail(cause);
    this.#sends.clear();
  }
}
