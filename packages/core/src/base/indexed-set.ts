/** A member of an {@link IndexedSet}. */
export interface Indexed {
  /** Its place in the set; -1 where it is in none. */
  index: number;
}

/**
 * A set for members that come and go with calls. Each knows its place, so that removing one leaves nothing behind; see `IdTable` for what a
 * Set with such churn keeps alive. A member is in one set at most.
 */
export class IndexedSet<T extends Indexed> {
  /** In no order. */
  readonly members: T[] = [];

  add(member: T): void {
    if (member.index === -1) member.index = this.members.push(member) - 1;
  }

  delete(member: T): void {
    const { index } = member;
    if (this.members[index] !== member) return;
    const last = this.members.pop() as T;
    if (last !== member) {
      this.members[index] = last;
      last.index = index;
    }
    member.index = -1;
  }
}
