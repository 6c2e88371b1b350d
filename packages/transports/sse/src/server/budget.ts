/** The bytes of bodies that are being read at the same time, over all requests of one serving side. */
export class Budget {
  private held = 0;

  constructor(private readonly max: number) {}

  /** False when there is no room. */
  take(bytes: number): boolean {
    if (this.held + bytes > this.max) return false;
    this.held += bytes;
    return true;
  }

  give(bytes: number): void {
    this.held -= bytes;
  }
}
