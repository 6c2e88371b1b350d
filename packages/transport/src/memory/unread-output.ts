import { TransportError } from '../contract/error.js';
import { HeldBytes } from './held-bytes.js';
import type { MemoryBudget } from './memory-budget.js';

/** Output is charged in steps of this size, in bytes. Less than one step fits into the buffers of a socket and is not charged. */
const unreadStepBytes = 16 * 1024;

/** Charges the holder of a connection for the output that its peer has not read. */
export class UnreadOutput {
  readonly #held: HeldBytes;
  #hasEnded = false;

  constructor(
    memory: MemoryBudget,
    private readonly holder: string,
  ) {
    this.#held = new HeldBytes(memory, holder);
  }

  /** Charges for what waits now, in bytes, instead of what waited before. Returns false, and keeps the charge, where it is rejected. */
  hold(queuedBytes: number): boolean {
    if (this.#hasEnded) return true;
    const steps = queuedBytes < unreadStepBytes ? 0 : Math.ceil(queuedBytes / unreadStepBytes);
    return this.#held.resize(steps * unreadStepBytes);
  }

  /** Releases everything, since the output has been sent or dropped. */
  release(): void {
    this.hold(0);
  }

  /** Releases everything, and charges nothing any more: the connection has ended, which its owner may learn in a later turn. */
  end(): void {
    this.release();
    this.#hasEnded = true;
  }

  /** Creates the error of a connection whose charge was rejected. */
  error(): TransportError {
    const message = `the messages that ${this.holder} has not read take too much of "memory"; read faster, or raise its "maxBytes"`;
    return new TransportError('OVERFLOW', message);
  }
}
