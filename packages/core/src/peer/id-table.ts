import type { RequestId } from '@rxmcp/jsonrpc';

const leastSlots = 4;
const mostSlots = 256;

/**
 * What is in flight, by id. Ids that count up find their own slot, so that taking one out leaves nothing behind; a Map
 * under such churn keeps building new tables, and each dead one keeps its entries alive until a full collection.
 * A table that never held anything costs next to nothing: most connections are idle in at least one direction. One that holds
 * more at a time gets more slots, up to 256, and keeps them.
 */
export class IdTable<T extends { readonly id: RequestId }> {
  private slots: (T | undefined)[] = noSlots;
  /** Those that have no slot: names, and numbers whose slot is taken. */
  private others: Map<RequestId, T> = noOthers;
  private slotted = 0;

  get size(): number {
    return this.slotted + this.others.size;
  }

  get(id: RequestId): T | undefined {
    if (typeof id === 'number') {
      const found = this.slots[id & (this.slots.length - 1)];
      if (found !== undefined && found.id === id) return found;
    }
    return this.others.size === 0 ? undefined : this.others.get(id);
  }

  /** Adds an entry under its id, which is not in the table. */
  add(entry: T): void {
    const { id } = entry;
    if (typeof id === 'number' && this.findRoom(id)) {
      this.slots[id & (this.slots.length - 1)] = entry;
      this.slotted += 1;
    } else {
      if (this.others === noOthers) this.others = new Map();
      this.others.set(id, entry);
    }
  }

  /** Takes an entry out; false when it was not in the table. */
  delete(entry: T): boolean {
    const { id } = entry;
    const slot = typeof id === 'number' ? id & (this.slots.length - 1) : 0;
    if (this.slots[slot] === entry) {
      this.slots[slot] = undefined;
      this.slotted -= 1;
      return true;
    }
    return this.others.size > 0 && this.others.get(id) === entry && this.others.delete(id);
  }

  /** The entries one after the other, in no order; one that is taken out meanwhile is passed over. */
  *values(): Generator<T, void, undefined> {
    // The slots of the beginning: who adds meanwhile may make the table larger.
    const { slots } = this;
    for (let slot = 0; this.slotted > 0 && slot < slots.length; slot += 1) {
      const entry = slots[slot];
      if (entry !== undefined && (slots === this.slots || this.get(entry.id) === entry)) yield entry;
    }
    yield* this.others.values();
  }

  /** The entries of this moment, numbered ones first and from low to high. */
  all(): T[] {
    const rank = ({ id }: T): number => (typeof id === 'number' ? id : Infinity);
    const all = [...this.values()];
    // Two infinities have no difference that could be sorted by.
    return all.sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
  }

  // True when the slot of this id is free, or could be made so.
  private findRoom(id: number): boolean {
    if (this.slots === noSlots) this.slots = new Array<T | undefined>(leastSlots).fill(undefined);
    while (this.slots[id & (this.slots.length - 1)] !== undefined) {
      if (this.slots.length >= mostSlots) return false;
      this.grow();
    }
    return true;
  }

  private grow(): void {
    const before = this.slots;
    this.slots = new Array<T | undefined>(before.length * 4).fill(undefined);
    // What shared no slot before shares none now.
    for (const entry of before)
      if (entry !== undefined) this.slots[(entry.id as number) & (this.slots.length - 1)] = entry;
  }

  clear(): void {
    // Emptied, not left: somebody may be walking it.
    if (this.slots !== noSlots) this.slots.fill(undefined);
    this.others.clear();
    this.slotted = 0;
  }
}

// What a table reads until it holds something. One for all, and never written to: so the way of a call has no question to ask.
const noSlots = new Array<never | undefined>(leastSlots).fill(undefined) as never[];
const noOthers = new Map<RequestId, never>();
