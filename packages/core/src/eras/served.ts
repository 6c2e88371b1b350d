import type { EncodedMessage, JsonObject, JsonRpcRequest } from '@rxmcp/jsonrpc';
import type { ReceiveInfo, Connection, Lane, OutgoingMessage, Traits } from '@rxmcp/transport';
import type { Caller, Implementation } from '../contract/context.js';
import type { LogLevel } from '../contract/report-items.js';
import type { ListName, PreparedResult } from '../contract/offer.js';
import type { PendingCall } from '../peer/calls.js';
import type { Claim, ExchangeEra, ExchangeHost, PendingExchange } from '../peer/exchange-contract.js';
import type { SharedConnectionLimits, ConnectionLimits } from '../peer/limits.js';
import type { Peer } from '../peer/peer.js';
import type { Sealer } from './modern/seal.js';
import type { EraId, Versions } from './versions.js';

/** A method that an era answers itself, such as `initialize` or `server/discover`. */
export interface OwnMethod {
  /** May answer through `exchange` now or later. */
  handle(serving: ServedConnection, exchange: PendingExchange): void;
}

/** One era, seen from the serving side. Both eras implement it with files of the same names. */
export interface ServedEra extends ExchangeEra {
  readonly id: EraId;
  readonly own: ReadonlyMap<string, OwnMethod>;
  /** Reads what a request claims. Throws RpcError or RxmcpError to refuse it. */
  claim(serving: ServedConnection, request: JsonRpcRequest, arrival: ReceiveInfo | undefined): Claim;
  /** Whether this era lets the method be offered at all. */
  has(method: string): boolean;
  /** Work to be done before a handler runs, such as opening sealed state; undefined = none. Throws to refuse the request. */
  readonly prepare:
    ((serving: ServedConnection, exchange: PendingExchange) => Promise<void> | undefined) | undefined;
  /** Tells the caller that nobody waits for its answer to a request of ours any more. */
  withdraw(serving: ServedConnection, call: PendingCall): void;
  /** Ends the subscriptions of a connection in the era's orderly way. */
  endFeeds(serving: ServedConnection): void;
}

/** What eras use of a server. */
export interface ServedDefinition {
  readonly info: Implementation;
  /** How results of the modern era name this server. */
  readonly signature: JsonObject;
  /** The texts of prepared results that name it: servers may share what they offer, but not these. */
  readonly signed: WeakMap<PreparedResult, string>;
  readonly instructions: string | undefined;
  /** How long the modern era's greeting may be kept, and for whom. */
  readonly greetingHint: JsonObject;
  readonly versions: Versions;
  readonly capabilities: JsonObject;
  readonly sealer: Sealer;
  /** Where the changes of offered lists are followed. */
  readonly hub: {
    follow(lists: ReadonlySet<ListName>, caller: Caller, listener: (change: Change) => void): () => void;
  };
  /** Who may see what; undefined = everybody everything. */
  readonly guard: { hides(caller: Caller, method: string, params: JsonObject): boolean } | undefined;
  /** What is known of a connection changed. */
  changed(): void;
}

/** What eras use of a connection that a server accepted. */
export interface ServedConnection extends ExchangeHost {
  readonly core: ServedDefinition;
  readonly connection: Connection;
  readonly traits: Traits;
  readonly peer: Peer;
  readonly versions: Versions;
  readonly limits: ConnectionLimits;
  /** How they are shared out, where many callers share them. */
  readonly shares: SharedConnectionLimits | undefined;
  /** What the handshake of this connection settled; only the legacy era looks at it. */
  legacy: LegacyState | undefined;
  /** The open subscriptions; only the modern era looks at them. */
  listens: Set<Listen> | undefined;
  /** True once nothing new is admitted. */
  readonly draining: boolean;
  readonly notices: {
    send(key: string, text: OutgoingMessage, lane: Lane | undefined): void;
    drop(key: string, lane: Lane | undefined): void;
    forget(prefix: string, lane: Lane | undefined): void;
  };
  readonly watches: {
    admit(asked: readonly unknown[], caller: Caller): ReadonlySet<string>;
    start(uri: string, caller: Caller, listener: (change: Change) => void): () => void;
  };
  /** True for a lane that ended from the other side: what is said there goes nowhere. */
  hasLeft(lane: Lane): boolean;
}

/** What a handshake settled, for the life of its connection. */
export interface LegacyState {
  readonly version: string;
  readonly caller: Caller;
  /** Older revisions answer something unreadable with a null id. */
  readonly nullIds: boolean;
  /** The client said that it is ready. */
  ready: boolean;
  /** What `logging/setLevel` asked for; before that nothing is sent. */
  logLevel: LogLevel | undefined;
  /** How to end each subscription, by uri. */
  watches: Map<string, () => void> | undefined;
  /** Ends the notices of changed lists. */
  stopLists: (() => void) | undefined;
}

/** One open `subscriptions/listen`. */
export interface Listen {
  readonly exchange: PendingExchange;
}

/** One change, prepared once for everybody who hears of it. */
export interface Change {
  /** Changes of one key replace each other while a peer is slow. */
  readonly key: string;
  readonly list?: ListName;
  readonly uri?: string;
  /** The notice without a subscription. */
  readonly plain: EncodedMessage;
  /** The notice of one subscription. */
  tagged(subscription: string | number): EncodedMessage;
}
