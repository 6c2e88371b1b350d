/** What was sent on one stream of a connection and not taken yet. */
export class Backlog {
  /** How many characters wait, where they are measured. */
  chars = 0;
  private waiting = 0;
  private drained: Set<() => void> | undefined = undefined;

  get isEmpty(): boolean {
    return this.waiting === 0;
  }

  get size(): number {
    return this.waiting;
  }

  /** One more that waits. */
  add(): void {
    this.waiting += 1;
  }

  /** One less; with the last one everybody who waits for that is called back, once. */
  settle(): void {
    this.waiting -= 1;
    const { drained } = this;
    if (this.waiting > 0 || drained === undefined) return;
    this.drained = undefined;
    for (const callback of drained) callback();
  }

  onDrain(callback: () => void): void {
    (this.drained ??= new Set()).add(callback);
  }

  offDrain(callback: () => void): void {
    this.drained?.delete(callback);
  }
}
