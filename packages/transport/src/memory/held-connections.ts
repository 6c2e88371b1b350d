import type { MemoryBudget } from './memory-budget.js';
import { Shares } from './shares.js';

/** What an idle connection takes, in bytes: its socket, its timers, its entries in tables. */
const connectionBytes = 12 * 1024;

/** The open connections of a listener, each charged to its holder, which may have half of them. */
export class HeldConnections {
  private readonly shares: Shares;

  constructor(
    private readonly memory: MemoryBudget,
    maxConnections: number,
  ) {
    this.shares = new Shares(maxConnections);
  }

  /** How many are open. */
  get size(): number {
    return this.shares.size;
  }

  /** Counts one more. Returns false where there are too many, or its holder would have too many. */
  tryAdd(holder: string): boolean {
    if (!this.shares.tryAdd(holder)) return false;
    if (this.memory.tryCharge(holder, connectionBytes)) return true;
    this.shares.remove(holder);
    return false;
  }

  /** One has closed. */
  remove(holder: string): void {
    this.shares.remove(holder);
    this.memory.release(holder, connectionBytes);
  }
}
