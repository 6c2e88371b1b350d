import type { MemoryBudget } from './memory-budget.js';

/** What an idle connection takes, in bytes: its socket, its timers, its entries in tables. */
const connectionBytes = 12 * 1024;
/** The part of all connections that one holder may have. */
const maxShare = 0.5;

/** The option that limits how many connections or sessions may be open. */
export type CountOption = 'maxConnections' | 'maxSessions';

/** Returns how many connections or sessions one holder may have. */
export function shareOf(maxCount: number): number {
  return Math.ceil(maxCount * maxShare);
}

/** Returns why one more is refused, by the number of those that its holder has. */
export function tooManyOpen(option: CountOption, maxCount: number, ofHolder: number): string {
  const what = option === 'maxSessions' ? 'sessions' : 'connections';
  const limit = `"${option}", which is ${String(maxCount)}`;
  return ofHolder >= shareOf(maxCount)
    ? `this caller has ${String(ofHolder)} ${what} open, its share of ${limit}. Close some`
    : `the server has as many ${what} open as ${limit}, allows. Retry later`;
}

/** The open connections of a listener, each charged to its holder, which may have half of them. */
export class HeldConnections {
  private readonly counts = new Map<string, number>();
  /** How many are open. */
  size = 0;

  constructor(
    private readonly memory: MemoryBudget,
    private readonly maxCount: number,
    private readonly option: CountOption,
    /** What each takes, in bytes. */
    private readonly bytes = connectionBytes,
  ) {}

  /** Counts one more. Returns why it is refused, where there are too many or its holder has its share. */
  add(holder: string): string | undefined {
    const { memory, maxCount, bytes } = this;
    const count = this.counts.get(holder) ?? 0;
    if (this.size >= maxCount || count >= shareOf(maxCount)) return tooManyOpen(this.option, maxCount, count);
    if (!memory.tryCharge(holder, bytes))
      return memory.exceedsShare(holder, bytes)
        ? 'this caller holds its share of "memory". Close connections, or wait for requests that run'
        : 'no "memory" is left. Retry later';
    this.counts.set(holder, count + 1);
    this.size += 1;
    return undefined;
  }

  /** One has closed. */
  remove(holder: string): void {
    const left = (this.counts.get(holder) ?? 0) - 1;
    if (left > 0) this.counts.set(holder, left);
    else this.counts.delete(holder);
    this.size -= 1;
    this.memory.release(holder, this.bytes);
  }
}
