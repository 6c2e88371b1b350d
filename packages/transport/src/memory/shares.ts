/** The part of all places that one holder may have. */
const maxShare = 0.5;

/** A number of places, of which each holder may have half. */
export class Shares {
  private readonly counts = new Map<string, number>();
  /** How many are taken. */
  size = 0;

  constructor(private readonly places: number) {}

  /** Takes a place. Returns false where all are taken, or the share of the holder is. */
  tryAdd(holder: string): boolean {
    const count = this.counts.get(holder) ?? 0;
    if (this.size >= this.places || count >= Math.ceil(this.places * maxShare)) return false;
    this.counts.set(holder, count + 1);
    this.size += 1;
    return true;
  }

  /** Gives a place back. */
  remove(holder: string): void {
    const left = (this.counts.get(holder) ?? 0) - 1;
    if (left > 0) this.counts.set(holder, left);
    else this.counts.delete(holder);
    this.size -= 1;
  }
}
