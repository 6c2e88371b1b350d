import type { RequestId } from '@rxmcp/jsonrpc';

const leastSlots = 4;
const mostSlots = 256;

/**
 * A table of requests in flight by id. Increasing ids use slots of an array, so that removing one leaves nothing
 * behind. A Map with such churn allocates new tables again and again, and each old one keeps its entries alive
 * until a full garbage collection.
 * An empty table costs almost nothing, because most connections are idle in at least one direction. The table grows
 * to at most 256 slots and keeps them.
 */
export class IdTable<T extends { readonly id: RequestId }> {
  #slots: (T | undefined)[] = noSlots;
  /** The entries without a slot: those with string ids, and numbers whose slot is taken. */
  #others: Map<RequestId, T> = noOthers;
  #slotted = 0;

  get size(): number {
    return this.#slotted + this.#others.size;
  }

  get(id: RequestId): T | undefined {
    if (typeof id === 'number') {
      const found = this.#slots[id & (this.#slots.length - 1)];
      if (found !== undefined && found.id === id) return found;
    }
    return this.#others.size === 0 ? undefined : this.#others.get(id);
  }

  /** Adds an entry. Its id must not be in the table. */
  add(entry: T): void {
    const { id } = entry;
    if (typeof id === 'number' && this.#findRoom(id)) {
      this.#slots[id & (this.#slots.length - 1)] = entry;
      this.#slotted += 1;
    } else {
      if (this.#others === noOthers) this.#others = new Map();
      this.#others.set(id, entry);
    }
  }

  /** Removes an entry. Returns false if it was not in the table. */
  delete(entry: T): boolean {
    const { id } = entry;
    const slot = typeof id === 'number' ? id & (this.#slots.length - 1) : 0;
    if (this.#slots[slot] === entry) {
      this.#slots[slot] = undefined;
      this.#slotted -= 1;
      return true;
    }
    return this.#others.size > 0 && this.#others.get(id) === entry && this.#others.delete(id);
  }

  /** Yields the entries in any order. Skips those that are removed meanwhile. */
  *values(): Generator<T, void, undefined> {
    // The current slots: adding an entry meanwhile may replace them.
    const slots = this.#slots;
    for (let slot = 0; this.#slotted > 0 && slot < slots.length; slot += 1) {
      const entry = slots[slot];
      if (entry !== undefined && (slots === this.#slots || this.get(entry.id) === entry)) yield entry;
    }
    yield* this.#others.values();
  }

  /** Returns all current entries: those with numbers first, in increasing order. */
  all(): T[] {
    const rank = ({ id }: T): number => (typeof id === 'number' ? id : Infinity);
    // Infinity minus Infinity is not a number that can be sorted by.
    return [...this.values()].sort((a, b) => rank(a) - rank(b) || 0);
  }

  // Returns true if the slot of this id is free, or became free by growing.
  #findRoom(id: number): boolean {
    if (this.#slots === noSlots) this.#slots = new Array<T | undefined>(leastSlots).fill(undefined);
    while (this.#slots[id & (this.#slots.length - 1)] !== undefined) {
      if (this.#slots.length >= mostSlots) return false;
      this.#grow();
    }
    return true;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Array<T | undefined>(before.length * 4).fill(undefined);
    // Entries that shared no slot before share none in a larger table.
    for (const entry of before)
      if (entry !== undefined) this.#slots[(entry.id as number) & (this.#slots.length - 1)] = entry;
  }

  clear(): void {
    // Cleared in place, because values() may be iterating over it.
    if (this.#slots !== noSlots) this.#slots.fill(undefined);
    this.#others.clear();
    this.#slotted = 0;
  }
}

// The slots of an empty table. Shared and never written to, so that lookups need no check.
const noSlots = new Array<never | undefined>(leastSlots).fill(undefined) as never[];
const noOthers = new Map<RequestId, never>();
