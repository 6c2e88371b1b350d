import type { Duplex } from 'node:stream';
import type { Budget } from '@rxmcp/transport/guard';

/** Of a masked control frame. RFC 6455, section 5.2. */
const controlHeadBytes = 6;

/**
 * Counts what a connection holds of a message that has not come in full. Chunks that end a message count nothing, so what is
 * left of them, less than one chunk, is not seen.
 */
export class Unfinished {
  private readonly stream: Duplex;
  private readonly budget: Budget;
  private readonly crowded: () => void;
  private held = 0;
  private hasFinished = false;
  /** Bytes of the chunk at hand that are no part of a message. */
  private controls = 0;

  /** @param crowded There is no room for more; told once. */
  constructor(stream: Duplex, budget: Budget, crowded: () => void) {
    this.stream = stream;
    this.budget = budget;
    this.crowded = crowded;
    // After the one of `ws`, which has read the chunk by then.
    stream.on('data', this.onChunk);
  }

  /** A message came in full. */
  finished(): void {
    this.hasFinished = true;
    this.giveBack();
  }

  /** A ping or a pong came, which may stand between the parts of a message. */
  control(payloadBytes: number): void {
    this.controls += controlHeadBytes + payloadBytes;
  }

  /** Counts no more, and gives back what was held. */
  stop(): void {
    this.stream.off('data', this.onChunk);
    this.giveBack();
  }

  private readonly onChunk = ({ length }: Uint8Array): void => {
    const bytes = length - this.controls;
    this.controls = 0;
    if (this.hasFinished) this.hasFinished = false;
    else if (bytes <= 0) return;
    else if (this.budget.take(bytes)) this.held += bytes;
    else {
      this.stop();
      this.crowded();
    }
  };

  private giveBack(): void {
    if (this.held === 0) return;
    this.budget.give(this.held);
    this.held = 0;
  }
}
