import type { MemoryBudget } from './memory-budget.js';

/** What an idle connection takes, in bytes: its socket, its timers, its entries in tables. */
const connectionBytes = 12 * 1024;
/** The part of all connections that one holder may have. */
const maxShare = 0.5;

/** The open connections of a listener, each charged to its holder, which may have half of them. */
export class HeldConnections {
  private readonly counts = new Map<string, number>();
  /** How many are open. */
  size = 0;

  constructor(
    private readonly memory: MemoryBudget,
    private readonly maxConnections: number,
  ) {}

  /** Counts one more. Returns false where there are too many, or its holder would have too many. */
  tryAdd(holder: string): boolean {
    const count = this.counts.get(holder) ?? 0;
    if (this.size >= this.maxConnections || count >= Math.ceil(this.maxConnections * maxShare)) return false;
    if (!this.memory.tryCharge(holder, connectionBytes)) return false;
    this.counts.set(holder, count + 1);
    this.size += 1;
    return true;
  }

  /** One has closed. */
  remove(holder: string): void {
    const left = (this.counts.get(holder) ?? 0) - 1;
    if (left > 0) this.counts.set(holder, left);
    else this.counts.delete(holder);
    this.size -= 1;
    this.memory.release(holder, connectionBytes);
  }
}
