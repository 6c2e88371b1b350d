import type { MemoryBudget } from './memory-budget.js';
import { Shares } from './shares.js';

/** What an idle connection takes, in bytes: its socket, its timers, its entries in tables. */
const connectionBytes = 12 * 1024;

/** The option that limits how many connections or sessions may be open. */
export type CountOption = 'maxConnections' | 'maxSessions';

/**
 * Returns why one more is rejected.
 *
 * @param share how many its holder has, where that is its share; 0 where it has less, and the others have the rest
 */
export function tooManyOpen(option: CountOption, maxCount: number, share: number): string {
  const what = option === 'maxSessions' ? 'sessions' : 'connections';
  const limit = `"${option}", which is ${String(maxCount)}`;
  return share > 0
    ? `this caller has ${String(share)} ${what} open, its share of ${limit}. Close some`
    : `the server has as many ${what} open as ${limit}, allows. Retry later`;
}

/** The open connections of a listener, each charged to its holder, which alone may have half of them: see {@link Shares}. */
export class HeldConnections {
  readonly #shares: Shares;

  constructor(
    private readonly memory: MemoryBudget,
    private readonly maxCount: number,
    private readonly option: CountOption,
    /** What each takes, in bytes. */
    private readonly bytes = connectionBytes,
  ) {
    this.#shares = new Shares(maxCount);
  }

  /** How many are open. */
  get size(): number {
    return this.#shares.size;
  }

  /** Counts one more. Returns why it is rejected, where there are too many or its holder has its share. */
  add(holder: string): string | undefined {
    const { memory, bytes } = this;
    const shares = this.#shares;
    if (!shares.tryAdd(holder)) return tooManyOpen(this.option, this.maxCount, shares.of(holder));
    if (memory.tryCharge(holder, bytes)) return undefined;
    shares.remove(holder);
    return memory.exceedsShare(holder, bytes)
      ? 'this caller holds its share of "memory". Close connections, or wait for requests that run'
      : 'no "memory" is left. Retry later';
  }

  /** One has closed. */
  remove(holder: string): void {
    this.#shares.remove(holder);
    this.memory.release(holder, this.bytes);
  }
}
