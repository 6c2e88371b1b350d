import { type Caller, type Fault, type Subscribable, RxmcpError } from '@rxmcp/core';
import { quoted } from '@rxmcp/core/internal';
import { isResourceNotFound } from '../definition/contents.js';
import { keyOf } from './read.js';
import { type Readable, isSubscribable } from '../definition/resource.js';
import { RunContext } from './run-context.js';
import type { Cell, Cells, Party } from './shared-value.js';

/** What a watch needs of the offer. */
interface WatchHost {
  readonly cells: Cells;
  /** Throws for an invalid or unknown uri. */
  find(uri: string): Readable;
  fault(fault: Fault): void;
  /** Charges for what the watch keeps, in bytes, instead of what it kept before; false where that is too much. */
  hold(bytes: number): boolean;
}

const nothing = (): void => undefined;

/**
 * Follows one resource for one caller. The caller reads the first value with its own request; each later value is a change.
 * When a live offer replaces the resource, the new one is followed.
 */
export class Watch {
  #found: Readable | undefined = undefined;
  #stop = nothing;
  /** The offer has no value yet, so that reads wait for it too. */
  #waiting = false;
  /** An Observable has given a value: each different one after it is a change. */
  #hasValue = false;
  #cell: Cell | undefined = undefined;
  /** The last value of a source that was replaced, until the new one has given one. */
  #replaced: { readonly value: unknown } | undefined = undefined;

  constructor(
    private readonly host: WatchHost,
    readonly uri: string,
    private readonly caller: Caller,
    private readonly changed: () => void,
  ) {}

  /**
   * Starts. Throws for an invalid or unknown uri, and what `changes` throws to reject this caller. Only reads report that a source
   * has no value, so that it makes no difference whether the source says so immediately or later.
   */
  begin(): void {
    this.#follow(this.host.find(this.uri));
  }

  /** Starts once the offer has a value. */
  wait(): void {
    this.#waiting = true;
  }

  /**
   * The offer may have changed: follows what the uri names now. If the offer had no value before, this is reported as a change, since
   * earlier changes were missed, unless a read waits for the value; `awaited` takes that read.
   */
  refresh(awaited: () => boolean): void {
    const before = this.#found;
    const read = this.#waiting && awaited();
    this.#waiting = false;
    let now: Readable | undefined;
    try {
      now = this.host.find(this.uri);
    } catch {
      // It may come back.
    }
    if (before !== undefined && now !== undefined && sameSource(before, now)) return;
    const last = this.#cell?.last ?? this.#replaced;
    this.#stop();
    this.#stop = nothing;
    this.#cell = undefined;
    this.#found = undefined;
    if (now === undefined) return;
    const isComparable = last !== undefined && before !== undefined && comparable(before, now);
    this.#replaced = isComparable ? last : undefined;
    this.#hasValue = isComparable;
    try {
      this.#follow(now);
    } catch (cause) {
      this.#fault(cause);
    }
    // Later values show a change, if the new source gives values.
    const isKnown = isComparable && (this.#cell as Cell | undefined) !== undefined;
    if (!read && !isKnown && !sameValue(before, now)) this.changed();
  }

  end(): void {
    this.#stop();
    this.#stop = nothing;
  }

  #follow(found: Readable): void {
    this.#found = found;
    const { source, changes } = found;
    const stops: (() => void)[] = [];
    this.#stop = () => {
      for (const stop of stops.splice(0)) stop();
    };
    if (changes !== undefined) stops.push(this.#followChanges(() => changes(this.caller)));
    if (source.kind === 'live') stops.push(this.#followCell(source.values, '', () => source.values));
    if (source.kind === 'made' && changes === undefined) {
      const run = new RunContext({ caller: this.caller }, found.shared);
      stops.push(
        this.#followCell(source.by, keyOf(found, this.caller.principal), () => source.make(run), run),
      );
    }
  }

  #followChanges(make: () => Subscribable<unknown>): () => void {
    const { cells } = this.host;
    let changes: Subscribable<unknown>;
    try {
      changes = make();
    } catch (cause) {
      if (isResourceNotFound(cause)) return nothing;
      throw cause;
    }
    return this.#at(
      cells.get(changes, 'changes') ?? cells.open(changes, 'changes'),
      { take: this.changed, again: nothing },
      (cell) => cell.follow(changes),
    );
  }

  #followCell(source: object, key: string, make: () => unknown, run?: RunContext): () => void {
    const { cells } = this.host;
    const take = (value: unknown, isSame: boolean): void => {
      const [isFirst, replaced] = [!this.#hasValue, this.#replaced];
      this.#hasValue = true;
      this.#replaced = undefined;
      if (!isFirst && !(replaced === undefined ? isSame : replaced.value === value)) this.changed();
    };
    // Only clients choose which of these there are.
    const hold = run === undefined ? undefined : (bytes: number) => this.host.hold(bytes);
    const join = (cell: Cell, start: (cell: Cell) => void): (() => void) => {
      this.#cell = cell;
      return this.#at(cell, { take, again, hold }, start);
    };
    const begin = (): (() => void) => {
      const there = cells.get(source, key);
      if (there?.alive === true) return join(there, nothing);
      const output = made(make);
      if (!isSubscribable(output)) {
        // This value cannot be followed; a rejection is reported to readers.
        Promise.resolve(output).catch(nothing);
        run?.end();
        return nothing;
      }
      run?.keep();
      return join(there ?? cells.open(source, key), (cell) => cell.follow(output, () => run?.end()));
    };
    let leave = nothing;
    const again = (): void => void (leave = begin());
    leave = begin();
    return () => leave();
  }

  #at(
    cell: Cell,
    { take, again, hold }: { take: Party['value']; again: () => void; hold?: Party['hold'] },
    start: (cell: Cell) => void,
  ): () => void {
    const party: Party = {
      value: take,
      failed: (cause) => this.#fault(cause),
      empty: nothing,
      report: nothing,
      again,
      hold,
    };
    const leave = cell.join(party);
    if (!cell.alive) start(cell);
    return leave;
  }

  #fault(cause: unknown): void {
    const message = `following ${quoted(this.uri)} failed: ${cause instanceof Error ? cause.message : String(cause)}`;
    this.host.fault({ code: RxmcpError.is(cause) ? cause.code : 'RESOURCE_FAILED', message, cause });
  }
}

/** What a function gives; what it throws is as what rejects. */
function made(make: () => unknown): unknown {
  try {
    return make();
  } catch (cause) {
    return Promise.reject(cause as Error);
  }
}

function sameSource(a: Readable, b: Readable): boolean {
  if (a === b) return true;
  if (a.source.kind === 'forwarded') return b.source.kind === 'forwarded' && a.source.by === b.source.by;
  if (a.changes !== undefined || b.changes !== undefined) return false;
  const [one, other] = [a.source, b.source];
  if (one.kind === 'live') return other.kind === 'live' && one.values === other.values;
  return one.kind === 'made' && other.kind === 'made' && one.by === other.by && a.shared === b.shared;
}

/** Whether the values of the new source alone show that something changed. */
function comparable(a: Readable, b: Readable): boolean {
  return (a.source.kind === 'live' || a.source.kind === 'made') && a.source.kind === b.source.kind;
}

/** Whether two resources certainly say the same. */
function sameValue(a: Readable | undefined, b: Readable): boolean {
  if (a?.source.kind !== 'fixed' || b.source.kind !== 'fixed') return false;
  return JSON.stringify(a.source.result.value) === JSON.stringify(b.source.result.value);
}

/** The readings that wait for the first value of a live offer, by what they read. */
export class Readings {
  readonly #waiting = new Map<string, AbortSignal[]>();

  /** A read waits until its signal aborts or `over` is called. */
  wait(uri: string, signal: AbortSignal): { over(): void } {
    const there = this.#waiting.get(uri);
    if (there === undefined) this.#waiting.set(uri, [signal]);
    else there.push(signal);
    return {
      over: () => {
        const left = (this.#waiting.get(uri) ?? []).filter((other) => other !== signal);
        if (left.length > 0) this.#waiting.set(uri, left);
        else this.#waiting.delete(uri);
      },
    };
  }

  /** Takes one read that still waits for this uri. Returns false if no read is left. */
  take(uri: string): boolean {
    const there = this.#waiting.get(uri) ?? [];
    for (let signal = there.pop(); signal !== undefined; signal = there.pop())
      if (!signal.aborted) return true;
    return false;
  }

  /** All of them have their response. */
  clear(): void {
    this.#waiting.clear();
  }
}
