/** The part of all places that one holder may have. */
const maxShare = 0.5;

/** Returns how many of all places one holder may have. */
export function shareOf(places: number): number {
  return Math.ceil(places * maxShare);
}

/**
 * A number of places. A holder takes one as long as more are free than it has: one alone has half of them, a second one a quarter, so that
 * some are left for the next one.
 */
export class Shares {
  readonly #counts = new Map<string, number>();
  /** How many are taken. */
  size = 0;

  constructor(private readonly places: number) {}

  /** How many a holder has. */
  of(holder: string): number {
    return this.#counts.get(holder) ?? 0;
  }

  /** Takes places. Returns false where the holder would have more than are free. */
  tryAdd(holder: string, places = 1): boolean {
    const count = this.of(holder) + places;
    if (count > this.places - this.size) return false;
    this.#counts.set(holder, count);
    this.size += places;
    return true;
  }

  /** Gives places back. */
  remove(holder: string, places = 1): void {
    const left = this.of(holder) - places;
    if (left > 0) this.#counts.set(holder, left);
    else this.#counts.delete(holder);
    this.size -= places;
  }
}
