/** An item of {@link SizeClasses}. */
export interface Sized {
  readonly size: number;
  /** The class that it is in; below 0 where it is in none. */
  sizeClass: number;
}

const classCount = 256;
const none = -1;

/** Finds the largest of many items in constant time, accurate to 1/256 of `maxSize`: items of similar size are in one class. */
export class SizeClasses<Item extends Sized> {
  readonly #classes: Set<Item>[] = [];
  readonly #step: number;
  /** No item is in a class above this one. */
  #top = none;

  constructor(maxSize: number) {
    this.#step = Math.max(1, maxSize / classCount);
  }

  /** Moves an item to the class of its size; one of size 0 is removed. */
  sort(item: Item): void {
    this.#move(item, item.size === 0 ? none : Math.min(classCount - 1, Math.floor(item.size / this.#step)));
  }

  remove(item: Item): void {
    this.#move(item, none);
  }

  largest(): Item | undefined {
    for (; this.#top >= 0; this.#top -= 1) {
      const [first] = this.#classes[this.#top] ?? [];
      if (first !== undefined) return first;
    }
    return undefined;
  }

  #move(item: Item, to: number): void {
    if (item.sizeClass === to) return;
    this.#classes[item.sizeClass]?.delete(item);
    item.sizeClass = to;
    if (to === none) return;
    (this.#classes[to] ??= new Set()).add(item);
    if (to > this.#top) this.#top = to;
  }
}
