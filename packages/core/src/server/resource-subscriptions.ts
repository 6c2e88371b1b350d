import { OVERLOADED } from '@rxmcp/jsonrpc';
import { HeldBytes } from '@rxmcp/transport/internal';
import { markNotExecuted } from '../base/error-marks.js';
import { RpcError } from '../base/errors.js';
import { maxKeyLength } from '../base/key-length.js';
import type { Change } from '../eras/served.js';
import type { Guard } from '../interceptors/interceptor-marks.js';
import type { PendingExchange } from '../peer/exchange-contract.js';
import type { SharedConnectionLimits } from '../peer/limits.js';
import { callerName, limitsOfCaller } from '../peer/limits.js';
import { budgetUsedUpError, holderOfRequest, type MemoryHost } from '../peer/memory.js';
import type { Hub } from './hub.js';

/** What a watched resource takes besides its URI, in bytes. */
const watchBytes = 4_096;
/** The URI is kept as it was given, as it is compared, and in the parts that match a template. */
const bytesPerUriCharacter = 4;

/** A caller on a connection, and what it watches. */
interface Party {
  readonly name: string;
  readonly isAnonymous: boolean;
  /** The most resources that it may watch. */
  readonly max: number;
  /** The number of watches by URI. */
  readonly uris: Map<string, number>;
}

/** The resources that one connection watches, in both eras. Their number is bounded; each URI counts once per caller. */
export class ResourceSubscriptions {
  /** The number of watched resources. */
  size = 0;
  /** The number of resources that anonymous callers watch. */
  #anonymous = 0;
  /** The callers that watch something, by name. */
  parties: Map<string, Party> = noParties;

  constructor(
    private readonly hub: Hub,
    private readonly max: number,
    private readonly guard: Guard | undefined,
    private readonly shares: SharedConnectionLimits | undefined,
    private readonly host: MemoryHost,
  ) {}

  /**
   * Returns the URIs of a filter that may be watched, each once. They count from now on: each is for {@link watch}, the rest for
   * {@link release}. Throws -31001 if they would exceed the limit. A filter that is too long is rejected before its entries are read.
   */
  admit(asked: readonly unknown[], exchange: PendingExchange): Set<string> {
    const party = this.#partyOf(exchange);
    if (asked.length > party.max) throw tooMany(party);
    const uris = new Set(
      asked.filter((uri): uri is string => typeof uri === 'string' && uri.length <= maxKeyLength),
    );
    let fresh = 0;
    for (const uri of uris) if (!party.uris.has(uri)) fresh += 1;
    if (!this.#hasRoom(party, fresh)) throw tooMany(party);
    for (const uri of uris) this.#add(party, uri);
    return uris;
  }

  /** Counts admitted URIs no longer. */
  release(uris: Iterable<string>, exchange: PendingExchange): void {
    const { name } = this.#partyOf(exchange);
    for (const uri of uris) this.#remove(name, uri);
  }

  /**
   * Watches an admitted URI until the returned function is called, which is once. Throws -31001 where the memory of its caller is used up, and the
   * error of the offer for its URI, which then counts no longer.
   */
  watch(uri: string, exchange: PendingExchange, listener: (change: Change) => void): () => void {
    const { name } = this.#partyOf(exchange);
    const { guard, host } = this;
    const { caller } = exchange;
    const holder = holderOfRequest(exchange);
    const held = new HeldBytes(host.memory, holder);
    if (!held.resize(watchBytes + bytesPerUriCharacter * uri.length)) {
      this.#remove(name, uri);
      throw budgetUsedUpError();
    }
    // Checked for each change: permissions can change, and a notification may name something below the watched URI.
    const send = (change: Change): void => {
      if (guard === undefined || (guard.canWatch(caller, change.uri ?? uri) && guard.canWatch(caller, uri)))
        listener(change);
    };
    let stop: (() => void) | undefined;
    const end = (): void => {
      this.#remove(name, uri);
      held.resize(0);
      stop?.();
    };
    try {
      if (guard?.canWatch(caller, uri) === false) this.hub.watchNotFound(uri);
      else stop = this.hub.watch(uri, caller, send, holder);
    } catch (error) {
      end();
      throw error;
    }
    return end;
  }

  #add(asking: Party, uri: string): void {
    if (this.parties === noParties) this.parties = new Map();
    const party = this.parties.get(asking.name) ?? asking;
    this.parties.set(party.name, party);
    const times = party.uris.get(uri) ?? 0;
    party.uris.set(uri, times + 1);
    if (times === 0) this.#count(party, 1);
  }

  #remove(name: string, uri: string): void {
    const party = this.parties.get(name);
    if (party === undefined) return;
    const { uris } = party;
    const left = (uris.get(uri) ?? 0) - 1;
    if (left > 0) uris.set(uri, left);
    else if (uris.delete(uri)) {
      this.#count(party, -1);
      if (uris.size === 0) this.parties.delete(name);
    }
  }

  #count({ isAnonymous }: Party, change: 1 | -1): void {
    this.size += change;
    if (isAnonymous) this.#anonymous += change;
  }

  // A connection of one peer has one party.
  #partyOf(exchange: PendingExchange): Party {
    const { shares, max } = this;
    const name = shares === undefined ? '' : callerName(exchange);
    const known = this.parties.get(name);
    if (known !== undefined) return known;
    if (shares === undefined) return { name, isAnonymous: false, max, uris: new Map() };
    const { principal } = exchange.caller;
    const isAnonymous = principal === undefined;
    const share = limitsOfCaller(shares, name, principal).maxResourceSubscriptions;
    const most = isAnonymous ? Math.min(share, shares.allAnonymous.maxResourceSubscriptions) : share;
    return { name, isAnonymous, max: Math.min(max, most), uris: new Map() };
  }

  #hasRoom({ isAnonymous, max, uris }: Party, fresh: number): boolean {
    const { shares } = this;
    if (this.size + fresh > this.max || uris.size + fresh > max) return false;
    return (
      !isAnonymous ||
      shares === undefined ||
      this.#anonymous + fresh <= shares.allAnonymous.maxResourceSubscriptions
    );
  }
}

function tooMany({ max }: Party): RpcError {
  return overload(`at most ${max} resources may be watched`);
}

function overload(message: string): RpcError {
  return markNotExecuted(new RpcError(OVERLOADED, message, { retryable: true, retryAfterMs: 1_000 }));
}

// Shared by all connections that watch nothing; never written to.
const noParties = new Map<string, Party>();
