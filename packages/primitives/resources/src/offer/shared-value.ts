import type { LogItem, ProgressItem, Subscribable } from '@rxmcp/core';
import { estimateBytes, isObject, memoryOf, reportKind } from '@rxmcp/core/internal';

/** A reader that waits for the value of a cell, or a subscriber that follows it. */
export interface Party {
  /** `isSame` says that it is the one before it. */
  value(value: unknown, isSame: boolean): void;
  failed(error: unknown): void;
  /** The source ended without a value. */
  empty(): void;
  report(item: ProgressItem | LogItem): void;
  /** The source turned out to be private to another caller: start again without this cell. */
  again(): void;
  /** Charges this party for the value that the cell keeps, in bytes, instead of the one before; false where that is too much. */
  readonly hold?: ((bytes: number) => boolean) | undefined;
}

/** One subscription to a changing value, shared by all readers and subscribers. Lives as long as it has one of them. */
export class Cell {
  readonly #parties = new Set<Party>();
  #last: { readonly value: unknown } | undefined = undefined;
  /** Who is charged for the last value. */
  #charged: Party | undefined = undefined;
  #stop: (() => void) | undefined = undefined;

  /** `released` is called when the last party has unsubscribed, or when no other party may join. */
  constructor(private readonly released: () => void) {}

  /** Whether there is a value, or one is being waited for. */
  get alive(): boolean {
    return this.#stop !== undefined || this.#last !== undefined;
  }

  /** The last value, if it is kept. */
  get last(): { readonly value: unknown } | undefined {
    return this.#last;
  }

  /** Joins the cell; an existing value is delivered immediately. Returns a function that unsubscribes. */
  join(party: Party): () => void {
    const last = this.#last;
    this.#parties.add(party);
    if (last !== undefined) {
      if (this.#charged === undefined) this.#charge();
      party.value(last.value, false);
    }
    return () => {
      if (this.#parties.delete(party)) this.#left(party);
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
    for (const party of others) this.#left(party);
    this.#closeIfEmpty();
    for (const party of others) party.again();
  }

  #take(value: unknown): void {
    if (reportKind(value) !== undefined) {
      if (this.#last !== undefined) return;
      for (const party of [...this.#parties]) party.report(value as ProgressItem | LogItem);
      return;
    }
    const isSame = this.#last !== undefined && this.#last.value === value;
    this.#last = { value };
    if (!isSame) this.#charge();
    for (const party of [...this.#parties]) party.value(value, isSame);
  }

  /**
   * Charges one of the parties for the last value. Where none of them may hold it, it is not kept, and no other party joins: each read has a run
   * of its own.
   */
  #charge(): void {
    const last = this.#last;
    const before = this.#charged;
    const parties = before === undefined ? [...this.#parties] : [before, ...this.#parties];
    const able = parties.filter(({ hold }) => hold !== undefined);
    if (last === undefined || able.length === 0) return;
    const bytes = bytesOf(last.value);
    this.#charged = able.find(({ hold }) => hold?.(bytes));
    if (before !== undefined && before !== this.#charged) before.hold?.(0);
    if (this.#charged !== undefined) return;
    this.#last = undefined;
    this.released();
  }

  #left(party: Party): void {
    if (party === this.#charged) {
      this.#charged = undefined;
      party.hold?.(0);
      this.#charge();
    }
    this.#closeIfEmpty();
  }

  #closeIfEmpty(): void {
    if (this.#parties.size > 0) return;
    this.released();
    this.#last = undefined;
    this.#stop?.();
  }
}

/** Values are measured up to about so many bytes, since one that contains itself would never end. */
const maxMeasuredBytes = 64 * 1024 * 1024;

/** The memory that a value takes, in bytes. */
function bytesOf(value: unknown): number {
  let bytes = memoryOf(estimateBytes(value, maxMeasuredBytes));
  for (const entry of Array.isArray(value) ? (value as unknown[]) : [value]) {
    const binary = isObject(entry) && 'blob' in entry ? entry['blob'] : entry;
    if (binary instanceof Uint8Array) bytes += binary.byteLength;
  }
  return bytes;
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
