import { largeChars, loopTurns } from '../loop-turns.js';
import { estimateRequestBytes } from './estimate.js';
import type { MemoryBudget } from './memory-budget.js';

/**
 * Parses large bodies of requests in turns of the event loop. The caller is charged for a body that waits, and one that exceeds its
 * share is not parsed.
 */
export class ParseTurns {
  constructor(private readonly memory: MemoryBudget) {}

  /** Calls `work` now, or in a later turn. Returns false where the memory of the caller does not suffice for a large body. */
  run(text: string, holder: string, work: () => void): boolean {
    if (text.length < largeChars) {
      work();
      return true;
    }
    const bytes = estimateRequestBytes(text);
    // The text of a request that would be rejected is not parsed.
    if (!this.memory.tryCharge(holder, bytes)) return false;
    loopTurns.run(() => {
      // The request is charged where it is taken.
      this.memory.release(holder, bytes);
      work();
    });
    return true;
  }
}
