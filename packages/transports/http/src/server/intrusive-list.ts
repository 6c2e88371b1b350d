/** What can be in one {@link IntrusiveList}. */
export interface ListNode<T> {
  before: T | undefined;
  after: T | undefined;
}

/** A list whose members hold its links: entering and leaving cost no memory, and the oldest comes first. */
export class IntrusiveList<T extends ListNode<T>> {
  first: T | undefined = undefined;
  #last: T | undefined = undefined;

  add(member: T): void {
    member.before = this.#last;
    if (this.#last === undefined) this.first = member;
    else this.#last.after = member;
    this.#last = member;
  }

  /** Takes a member out; nothing happens when it is not in. */
  remove(member: T): void {
    const { before, after } = member;
    if (before === undefined && this.first !== member) return;
    if (before === undefined) this.first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    member.before = undefined;
    member.after = undefined;
  }

  /** Visits all; the visitor may take out the member it is shown. */
  each(visit: (member: T) => void): void {
    let member = this.first;
    while (member !== undefined) {
      const { after } = member;
      visit(member);
      member = after;
    }
  }
}
