import { TransportError } from '../contract/error.js';
import type { Traits } from '../contract/traits.js';
import { connectionHolder, HeldBytes } from './held-bytes.js';
import { processMemory } from './memory-budget.js';

/** How much is kept before the start of a connection. */
const maxEarlyEvents = 4_096;
const maxEarlyBytes = 64 * 1024 * 1024;

/** Counts what arrives before the start of a connection. It is charged to the holder of the connection, in the budget of the process. */
export class EarlyMessages {
  #events = 0;
  #bytes = 0;
  readonly #held: HeldBytes;

  constructor({ holder = connectionHolder() }: Pick<Traits, 'holder'>) {
    this.#held = new HeldBytes(processMemory(), holder);
  }

  /** Counts one more event. Returns false where it is too much. */
  add(heldBytes: number): boolean {
    this.#events += 1;
    this.#bytes += heldBytes;
    if (this.#events > maxEarlyEvents || this.#bytes > maxEarlyBytes) return false;
    return this.#held.resize(this.#bytes);
  }

  /** Releases everything: the events have been delivered or dropped. */
  release(): void {
    this.#events = 0;
    this.#bytes = 0;
    this.#held.resize(0);
  }

  /** Creates the error of a connection that received too much. */
  error(): TransportError {
    return new TransportError('OVERFLOW', 'too many messages arrived before the connection was started');
  }
}
