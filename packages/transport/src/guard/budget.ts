/** The bytes that requests of a listener hold at the same time, all together. */
export class Budget {
  private held = 0;

  /** @param max The most that may be held, in bytes. */
  constructor(private readonly max: number) {}

  /** False when there is no room. */
  take(bytes: number): boolean {
    if (this.held + bytes > this.max) return false;
    this.held += bytes;
    return true;
  }

  /** Gives back what was taken. */
  give(bytes: number): void {
    this.held -= bytes;
  }
}
