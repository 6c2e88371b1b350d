import type { Id } from '@rxmcp/jsonrpc';

const size = 1_024;

/**
 * What is in flight, by id. Ids that count up find their own slot, so that taking one out leaves nothing behind; a Map
 * under such churn keeps building new tables, and each dead one keeps its entries alive until a full collection.
 */
export class IdTable<T extends { readonly id: Id }> {
  private readonly slots: (T | undefined)[] = new Array<T | undefined>(size).fill(undefined);
  /** Those that have no slot: names, and numbers whose slot is taken. */
  private readonly others = new Map<Id, T>();
  private slotted = 0;

  get size(): number {
    return this.slotted + this.others.size;
  }

  get(id: Id): T | undefined {
    if (typeof id === 'number') {
      const found = this.slots[id & (size - 1)];
      if (found !== undefined && found.id === id) return found;
    }
    return this.others.size === 0 ? undefined : this.others.get(id);
  }

  /** Adds an entry under its id, which is not in the table. */
  add(entry: T): void {
    const { id } = entry;
    if (typeof id === 'number' && this.slots[id & (size - 1)] === undefined) {
      this.slots[id & (size - 1)] = entry;
      this.slotted += 1;
    } else this.others.set(id, entry);
  }

  /** Takes an entry out; false when it was not in the table. */
  delete(id: Id): boolean {
    if (typeof id === 'number' && this.slots[id & (size - 1)]?.id === id) {
      this.slots[id & (size - 1)] = undefined;
      this.slotted -= 1;
      return true;
    }
    return this.others.delete(id);
  }

  /** All entries, in the order in which they came where their ids count up. */
  all(): T[] {
    const slotted = this.slots.filter((entry) => entry !== undefined);
    slotted.sort((a, b) => (a.id as number) - (b.id as number));
    return [...slotted, ...this.others.values()];
  }

  clear(): void {
    this.slots.fill(undefined);
    this.others.clear();
    this.slotted = 0;
  }
}
