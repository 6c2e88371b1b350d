/** The part of all places that one holder may have. */
const maxShare = 0.5;

/** Returns how many of all places one holder may have. */
export function shareOf(places: number): number {
  return Math.ceil(places * maxShare);
}

/** A number of places, of which each holder may have half. */
export class Shares {
  readonly #counts = new Map<string, number>();
  /** How many are taken. */
  size = 0;

  constructor(private readonly places: number) {}

  /** How many a holder has. */
  of(holder: string): number {
    return this.#counts.get(holder) ?? 0;
  }

  /** Takes a place. Returns false where all are taken, or the share of the holder is. */
  tryAdd(holder: string): boolean {
    const count = this.of(holder);
    if (this.size >= this.places || count >= shareOf(this.places)) return false;
    this.#counts.set(holder, count + 1);
    this.size += 1;
    return true;
  }

  /** Gives a place back. */
  remove(holder: string): void {
    const left = this.of(holder) - 1;
    if (left > 0) this.#counts.set(holder, left);
    else this.#counts.delete(holder);
    this.size -= 1;
  }
}
