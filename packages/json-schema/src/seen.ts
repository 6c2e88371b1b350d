/** What of one object or array has been looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Seen {
  private all = false;
  private readonly keys = new Set<string | number>();

  add(key: string | number): void {
    this.keys.add(key);
  }

  addAll(): void {
    this.all = true;
  }

  has(key: string | number): boolean {
    return this.all || this.keys.has(key);
  }

  /** Takes over what another schema has looked at; tells how many it were. */
  merge(other: Seen): number {
    this.all ||= other.all;
    for (const key of other.keys) this.keys.add(key);
    return other.keys.size;
  }
}
