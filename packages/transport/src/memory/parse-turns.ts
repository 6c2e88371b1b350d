import { largeChars, loopTurns } from '../base/loop-turns.js';
import { estimateRequestBytes } from './estimate.js';
import type { MemoryBudget } from './memory-budget.js';

/**
 * Parses large bodies of requests in turns of the event loop, and short ones where the turn is over. The caller is charged for a body
 * that waits, and one that exceeds its share is not parsed.
 */
export class ParseTurns {
  constructor(private readonly memory: MemoryBudget) {}

  /** Calls `work` now, or in a later turn. Returns false where the memory of the caller does not suffice for a body that waits. */
  run(text: string, holder: string, work: () => void): boolean {
    // The handler of a short one may take long.
    if (text.length < largeChars && loopTurns.hasTime()) {
      work();
      return true;
    }
    const bytes = estimateRequestBytes(text);
    // The text of a request that would be rejected is not parsed.
    if (!this.memory.tryCharge(holder, bytes)) return false;
    loopTurns.run(holder, () => {
      // The request is charged where it is taken.
      this.memory.release(holder, bytes);
      work();
    });
    return true;
  }
}
