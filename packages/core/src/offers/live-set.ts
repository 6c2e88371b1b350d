import { noop } from '../base/checks.js';
import { BRIDGED_PEER_UNAVAILABLE } from '../base/error-marks.js';
import { RpcError, RxmcpError } from '../base/errors.js';
import { quoted } from '../base/message-text.js';
import { digestOf } from '../base/text-digest.js';
import type { Fault } from '../contract/faults.js';
import type { ListName, OfferHost, Subscribable } from '../contract/offer.js';
import { isPartial, originOf } from './forwarded-item.js';
import { ListWaiters } from './list-waiters.js';

/** How many collisions of one list are reported: another server can make as many as its list has items. */
const maxCollisions = 8;

/** Describes a set of offered items. */
export interface LiveSetSpec<T> {
  /** Names the set in errors and faults, such as `tools`. */
  readonly name: string;
  /** The whole set, or a source that emits the whole set each time. */
  readonly source: readonly T[] | Subscribable<readonly T[]>;
  /** Returns the key of an item. Throws a TypeError for an invalid item. */
  keyOf(item: T): string;
  /** Returns what clients see of an item, as JSON. A set with the same content again is not a change. */
  content(item: T): unknown;
  /** Longest time that a list waits for the first value of a live source, in milliseconds. @default 5_000 */
  readonly timeoutMs?: number | undefined;
}

/** Offered items by key: fixed or live. The cost of a lookup does not depend on their number. */
export interface LiveSet<T> {
  readonly live: boolean;
  /** The last valid set; undefined before the first value of a live source. */
  current(): readonly T[] | undefined;
  /**
   * The last valid set, or a promise of the first one: with `finds`, of one in which it is true or in which nothing of another
   * server is missing. Rejects with OFFER_TIMEOUT, or -31003 where only such a list is missing.
   */
  ready(finds?: () => boolean): readonly T[] | Promise<readonly T[]>;
  get(key: string): T | undefined;
  /**
   * Subscribes to a live source while at least one host uses it. All hosts share one subscription. Returns a
   * function that ends it.
   */
  start(host: OfferHost, list: ListName): () => void;
}

/** Creates the set. Throws a TypeError for two items with the same key. */
export function liveSet<T>(spec: LiveSetSpec<T>): LiveSet<T> {
  if (Array.isArray(spec.source)) return new FixedSet(spec, spec.source as readonly T[]);
  if (typeof (spec.source as Partial<Subscribable<T>> | null | undefined)?.subscribe === 'function') {
    return new FollowedSet(spec, spec.source as Subscribable<readonly T[]>);
  }
  throw new TypeError(`${spec.name} must be an array, or something with subscribe that emits arrays`);
}

class FixedSet<T> implements LiveSet<T> {
  readonly live = false;
  readonly #items: readonly T[];
  readonly #byKey: ReadonlyMap<string, T>;

  constructor(spec: LiveSetSpec<T>, source: readonly T[]) {
    this.#items = Object.freeze([...source]);
    this.#byKey = indexed(spec, this.#items);
  }

  current(): readonly T[] {
    return this.#items;
  }

  ready(): readonly T[] {
    return this.#items;
  }

  get(key: string): T | undefined {
    return this.#byKey.get(key);
  }

  start(): () => void {
    return noop;
  }
}

class FollowedSet<T> implements LiveSet<T> {
  readonly live = true;
  readonly #spec: LiveSetSpec<T>;
  readonly #source: Subscribable<readonly T[]>;
  #items: readonly T[] | undefined = undefined;
  /** Whether something of another server is missing in the items. */
  #isPartial = false;
  #byKey: ReadonlyMap<string, T> = new Map();
  /** A digest of what clients see: the text itself would be a second copy of the list. */
  #content: number | undefined = undefined;
  /** Those of the items of other servers, which are not changed once they are made: most lists change those of one server. */
  #digests: ReadonlyMap<T, number> = new Map();
  readonly #hosts = new Map<object, { readonly host: OfferHost; readonly list: ListName }>();
  #unfollow: (() => void) | undefined = undefined;
  #ended = false;
  #missed = false;
  /** The collisions of the last list, so that each is reported once. */
  #collisions: ReadonlySet<string> = new Set();
  readonly #waiters: ListWaiters<readonly T[]>;

  constructor(spec: LiveSetSpec<T>, source: Subscribable<readonly T[]>) {
    this.#spec = spec;
    this.#source = source;
    const { name, timeoutMs = 5_000 } = spec;
    this.#waiters = new ListWaiters(timeoutMs, () => {
      this.#missed = true;
      return this.#items === undefined ? silent(`no value of ${name} within ${timeoutMs} ms`) : late(name);
    });
  }

  current(): readonly T[] | undefined {
    return this.#items;
  }

  get(key: string): T | undefined {
    return this.#byKey.get(key);
  }

  ready(finds?: () => boolean): readonly T[] | Promise<readonly T[]> {
    if (this.#items !== undefined && (this.#isWhole || finds?.() !== false)) return this.#items;
    return this.#ended ? Promise.reject(this.#endedEarly()) : this.#waiters.add(finds);
  }

  start(host: OfferHost, list: ListName): () => void {
    const use = {};
    this.#hosts.set(use, { host, list });
    if (this.#hosts.size === 1) this.#follow();
    return () => {
      if (!this.#hosts.delete(use) || this.#hosts.size > 0) return;
      const unfollow = this.#unfollow;
      this.#unfollow = undefined;
      const message = `${this.#spec.name} ended: the server stopped offering them`;
      this.#waiters.reject(new RxmcpError('CLOSED', message));
      // Without a subscription the current items of the source are unknown.
      this.#items = undefined;
      this.#byKey = this.#digests = new Map<never, never>();
      unfollow?.();
    };
  }

  #follow(): void {
    let open = true;
    let subscription: { unsubscribe(): void } | undefined;
    this.#ended = false;
    this.#unfollow = () => {
      open = false;
      subscription?.unsubscribe();
    };
    const end = (fault?: Fault): void => {
      if (!open) return;
      open = false;
      this.#ended = true;
      if (fault !== undefined) this.#fault(fault);
      if (this.#items === undefined) this.#waiters.reject(this.#endedEarly());
      else this.#waiters.listed(this.#items, this.#isWhole);
    };
    const failed = (cause: unknown): void => {
      end({
        code: 'OFFER_FAILED',
        message: `the source of ${this.#spec.name} failed, its last list stays`,
        cause,
      });
    };
    try {
      subscription = this.#source.subscribe({
        next: (items) => {
          if (open) this.#take(items);
        },
        error: failed,
        complete: () => end(),
      });
    } catch (cause) {
      failed(cause);
    }
    // If `stop` was called inside `subscribe`, there was no subscription to end yet.
    if (!open) subscription?.unsubscribe();
  }

  #take(emitted: readonly T[]): void {
    let items: readonly T[];
    let byKey: ReadonlyMap<string, T>;
    let content: number;
    const digests = new Map<T, number>();
    const collisions = new Set<string>();
    try {
      if (!Array.isArray(emitted)) throw new TypeError('the value of a live list must be an "array"');
      byKey = indexed(this.#spec, emitted, collisions);
      items = Object.freeze(byKey.size === emitted.length ? [...emitted] : [...byKey.values()]);
      content = digestOf(items.map((item) => this.#digest(item, digests)).join());
    } catch (cause) {
      const message = `dropped a list of ${this.#spec.name}: ${cause instanceof Error ? cause.message : String(cause)}`;
      this.#fault({ code: 'INVALID_OFFER', message, cause });
      return;
    }
    for (const message of collisions)
      if (!this.#collisions.has(message)) this.#fault({ code: 'INVALID_OFFER', message });
    this.#collisions = collisions;
    // The same content may have new handlers, so that the items are always replaced.
    this.#items = items;
    this.#isPartial = isPartial(emitted);
    this.#byKey = byKey;
    this.#digests = digests;
    if (content !== this.#content) {
      const isFirst = this.#content === undefined;
      this.#content = content;
      // A list that was requested before the first value waits for it and needs no notification, unless the request
      // timed out.
      if (!isFirst || this.#missed)
        for (const { host, list } of [...this.#hosts.values()]) host.changed(list);
    }
    this.#missed = false;
    this.#waiters.listed(items, this.#isWhole);
  }

  #digest(item: T, digests: Map<T, number>): number {
    const known = this.#digests.get(item);
    const digest = known ?? digestOf(JSON.stringify(this.#spec.content(item)));
    if (originOf(item) !== undefined) digests.set(item, digest);
    return digest;
  }

  /** Whether nothing of another server will be added to the items. */
  get #isWhole(): boolean {
    return !this.#isPartial || this.#ended;
  }

  #endedEarly(): RxmcpError {
    return silent(`the source of ${this.#spec.name} ended before its first value`);
  }

  #fault(fault: Fault): void {
    for (const { host } of [...this.#hosts.values()]) host.fault(fault);
  }
}

/**
 * Returns the items by key. Throws a TypeError for a duplicate. If another server offers one of the two, that one is left
 * out and described in `collisions` instead: no other server can take down a list, or replace an item of this one.
 */
function indexed<T>(
  spec: LiveSetSpec<T>,
  items: readonly T[],
  collisions?: Set<string>,
): ReadonlyMap<string, T> {
  const byKey = new Map<string, T>();
  for (const item of items) {
    const key = spec.keyOf(item);
    const first = byKey.get(key);
    if (first === undefined) byKey.set(key, item);
    else {
      const [own, other] = originOf(item) === undefined ? [item, first] : [first, item];
      const isOfOther = originOf(other) !== undefined;
      if (isOfOther) byKey.set(key, own);
      if (isOfOther && collisions?.size === maxCollisions) continue;
      const message = `two of ${spec.name} are called ${quoted(key)}`;
      if (!isOfOther || collisions === undefined) throw new TypeError(message);
      collisions.add(
        `${message}: that of ${serverOf(own)} stays, that of ${serverOf(other)} is left out. ` +
          'Give one of the servers a prefix',
      );
    }
  }
  return byKey;
}

function serverOf(item: unknown): string {
  const origin = originOf(item);
  return origin === undefined ? 'this server' : quoted(origin.server);
}

function late(name: string): RpcError {
  const message = `a server behind this one has not sent its ${name} yet. Try again later`;
  return new RpcError(BRIDGED_PEER_UNAVAILABLE, message, {
    retryable: true,
    code: 'OFFER_TIMEOUT',
    outcome: 'not-sent',
  });
}

function silent(message: string): RxmcpError {
  return new RxmcpError('OFFER_TIMEOUT', message, { retryable: true });
}
