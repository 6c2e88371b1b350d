/** Something that is due at a time of the virtual clock. */
export interface Alarm {
  readonly due: number;
  /** Tells apart what is due at the same time: the first made runs first. */
  readonly order: number;
  /** Whether it waits anew when it runs. */
  readonly repeats: boolean;
  run(): void;
  /** What it is, and when it is due. */
  describe(): string;
}

/** What is due, soonest last, so that taking it moves nothing. */
export class Alarms {
  private readonly waiting: Alarm[] = [];
  private made = 0;

  get size(): number {
    return this.waiting.length;
  }

  /** What is due next, if anything is. */
  get next(): Alarm | undefined {
    return this.waiting.at(-1);
  }

  /** The order of the newest one. */
  get newest(): number {
    return this.made;
  }

  /** The order of the next one that is made. */
  nextOrder(): number {
    return (this.made += 1);
  }

  /** So many of those that are due first. */
  soonest(count: number): readonly Alarm[] {
    return this.waiting.slice(-count).reverse();
  }

  /** Adds one that does not wait yet; while it waits it is not to be changed. */
  add(alarm: Alarm): void {
    const { waiting } = this;
    const place = this.placeOf(alarm);
    // Most are due before all others, so that they stand last.
    if (place === waiting.length) waiting.push(alarm);
    else waiting.splice(place, 0, alarm);
  }

  remove(alarm: Alarm): void {
    const place = this.placeOf(alarm);
    if (this.waiting[place] === alarm) this.waiting.splice(place, 1);
  }

  take(): Alarm | undefined {
    return this.waiting.pop();
  }

  /** Where it stands, or would stand: after all that are due later than it. */
  private placeOf({ due, order }: Alarm): number {
    let [low, high] = [0, this.waiting.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.waiting[middle] as Alarm;
      const isLater = other.due > due || (other.due === due && other.order > order);
      if (isLater) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
