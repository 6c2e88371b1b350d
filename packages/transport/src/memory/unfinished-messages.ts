import { type MemoryBudget, processMemory } from './memory-budget.js';

/** A connection of which a message has not come in full. */
export interface UnfinishedMessage {
  /** The name under which the message is charged. */
  readonly holder: string;
  /** Bytes that are charged. */
  readonly heldBytes: number;
  /** Releases everything, and ends the connection. */
  cut(message: string): void;
}

/**
 * The unfinished messages of many connections, within one budget. Where a holder would exceed its share, its largest message is cut
 * with its connection. Where all would exceed the limit, it is the largest one of the holder that holds most.
 */
export class UnfinishedMessageBudget {
  readonly #open = new Set<UnfinishedMessage>();

  /** @param limit What limits the budget, for the errors of connections that are cut. */
  constructor(
    private readonly memory: MemoryBudget,
    private readonly limit = '"maxBufferedBytes" or "memory"',
  ) {}

  /** Changes what a connection holds. Returns false where that connection itself was cut. */
  hold(connection: UnfinishedMessage, bytes: number): boolean {
    const { holder, heldBytes } = connection;
    const more = bytes - heldBytes;
    if (more < 0) this.memory.release(holder, -more);
    else while (!this.memory.tryCharge(holder, more)) if (!this.#makeRoom(connection, bytes)) return false;
    if (bytes > 0) this.#open.add(connection);
    else this.#open.delete(connection);
    return true;
  }

  /** Cuts one connection. Returns false where it is the one that asks for room. */
  #makeRoom(asking: UnfinishedMessage, bytes: number): boolean {
    const isShare = this.memory.exceedsShare(asking.holder, bytes - asking.heldBytes);
    const heldBy = (one: UnfinishedMessage): number => (one === asking ? bytes : one.heldBytes);
    const holder = isShare ? asking.holder : this.#largestHolder(asking, heldBy);
    let largest: UnfinishedMessage | undefined;
    for (const one of [asking, ...this.#open]) {
      if (one.holder === holder && (largest === undefined || heldBy(one) > heldBy(largest))) largest = one;
    }
    largest?.cut(
      isShare
        ? `the unfinished messages of ${holder} exceed its share of ${this.limit}; send fewer at a time`
        : `the unfinished messages of all connections exceed ${this.limit}; retry later`,
    );
    return largest !== asking;
  }

  /** Returns the holder that holds most; the one that asks where others hold as much. */
  #largestHolder(asking: UnfinishedMessage, heldBy: (one: UnfinishedMessage) => number): string {
    const sums = new Map<string, number>();
    for (const one of new Set([asking, ...this.#open]))
      sums.set(one.holder, (sums.get(one.holder) ?? 0) + heldBy(one));
    let largest = asking.holder;
    for (const [holder, sum] of sums) if (sum > (sums.get(largest) ?? 0)) largest = holder;
    return largest;
  }
}

let ofClients: UnfinishedMessageBudget | undefined;

/** Returns the unfinished messages of all connections that this process has dialled, within its budget. */
export function clientMessages(): UnfinishedMessageBudget {
  return (ofClients ??= new UnfinishedMessageBudget(processMemory(), 'the memory budget of this process'));
}
