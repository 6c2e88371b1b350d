import type { LogItem, ProgressItem, Subscribable } from '@rxmcp/core';
import { reportKind } from '@rxmcp/core/internal';

/** A reader that waits for the value of a cell, or a subscriber that follows it. */
export interface Party {
  value(value: unknown): void;
  failed(error: unknown): void;
  /** The source ended without a value. */
  empty(): void;
  report(item: ProgressItem | LogItem): void;
  /** The source turned out to be private to another caller: start again without this cell. */
  again(): void;
}

/** One subscription to a changing value, shared by all readers and subscribers. Lives as long as it has one of them. */
export class Cell {
  readonly #parties = new Set<Party>();
  #last: { readonly value: unknown } | undefined = undefined;
  #stop: (() => void) | undefined = undefined;

  /** `released` is called when the last party has unsubscribed, or when no other party may join. */
  constructor(private readonly released: () => void) {}

  /** Whether there is a value, or one is being waited for. */
  get alive(): boolean {
    return this.#stop !== undefined || this.#last !== undefined;
  }

  /** Joins the cell; an existing value is delivered immediately. Returns a function that unsubscribes. */
  join(party: Party): () => void {
    this.#parties.add(party);
    if (this.#last !== undefined) party.value(this.#last.value);
    return () => {
      if (this.#parties.delete(party)) this.#closeIfEmpty();
    };
  }

  /** Subscribes to the source. `ended` is called once at the end of the subscription, for any reason. */
  follow(source: Subscribable<unknown>, ended?: () => void): void {
    let open = true;
    let subscription: { unsubscribe(): void } | undefined;
    const end = (): boolean => {
      if (!open) return false;
      open = false;
      this.#stop = undefined;
      ended?.();
      return true;
    };
    const failed = (error: unknown): void => {
      if (end()) for (const party of [...this.#parties]) party.failed(error);
    };
    this.#stop = () => {
      if (end()) subscription?.unsubscribe();
    };
    try {
      subscription = source.subscribe({
        next: (value) => {
          if (open) this.#take(value);
        },
        error: failed,
        complete: () => {
          if (end() && this.#last === undefined) for (const party of [...this.#parties]) party.empty();
        },
      });
    } catch (error) {
      failed(error);
    }
    // A subscriber that unsubscribed during `subscribe` had no subscription to end yet.
    if (!open) subscription?.unsubscribe();
  }

  /** Makes the cell private to one party: no other may join, and all others start again. */
  keepFor(owner: Party): void {
    const others = [...this.#parties].filter((party) => party !== owner);
    this.released();
    for (const party of others) this.#parties.delete(party);
    this.#closeIfEmpty();
    for (const party of others) party.again();
  }

  #take(value: unknown): void {
    if (reportKind(value) !== undefined) {
      if (this.#last !== undefined) return;
      for (const party of [...this.#parties]) party.report(value as ProgressItem | LogItem);
      return;
    }
    this.#last = { value };
    for (const party of [...this.#parties]) party.value(value);
  }

  #closeIfEmpty(): void {
    if (this.#parties.size > 0) return;
    this.released();
    this.#last = undefined;
    this.#stop?.();
  }
}

/** The cells of one offer, by source and caller. */
export class Cells {
  readonly #bySource = new WeakMap<object, Map<string, Cell>>();

  get(source: object, key: string): Cell | undefined {
    return this.#bySource.get(source)?.get(key);
  }

  /** Makes a cell, which can be found until all parties have left it. */
  open(source: object, key: string): Cell {
    let cells = this.#bySource.get(source);
    if (cells === undefined) this.#bySource.set(source, (cells = new Map()));
    const all = cells;
    const cell: Cell = new Cell(() => {
      if (all.get(key) === cell) all.delete(key);
    });
    all.set(key, cell);
    return cell;
  }
}
