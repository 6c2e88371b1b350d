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

/** A method that an era handles itself, such as `initialize` or `server/discover`. */
export interface OwnMethod {
  /** Responds through `exchange`, now or later. */
  handle(connection: EraConnection, exchange: PendingExchange): void;
}

/** One era, as a server uses it. Both eras implement it with the same file names. */
export interface ServedEra extends ExchangeEra {
  readonly id: EraId;
  readonly own: ReadonlyMap<string, OwnMethod>;
  /** Reads what a request claims. Throws RpcError or RxmcpError to reject it. */
  claim(connection: EraConnection, request: JsonRpcRequest, receiveInfo: ReceiveInfo | undefined): Claim;
  /** Whether this era allows the method to be offered. */
  has(method: string): boolean;
  /** Prepares a request before its handler runs, such as by opening sealed state. Throws to reject the request. */
  readonly prepare:
    ((connection: EraConnection, exchange: PendingExchange) => Promise<void> | undefined) | undefined;
  /** Cancels a request of this server at the client. */
  withdraw(connection: EraConnection, call: PendingCall): void;
  /** Ends the subscriptions of a connection in the orderly way of the era. */
  endFeeds(connection: EraConnection): void;
}

/** What eras use of a server. */
export interface ServedDefinition {
  readonly info: Implementation;
  /** The `_meta` by which results of the modern era name this server. */
  readonly signature: JsonObject;
  /** The texts of prepared results that name this server. Servers may share offers, but not these texts. */
  readonly signed: WeakMap<PreparedResult, string>;
  readonly instructions: string | undefined;
  /** The cache hint for the result of `server/discover`. */
  readonly greetingHint: JsonObject;
  readonly versions: Versions;
  readonly capabilities: JsonObject;
  readonly sealer: Sealer;
  /** Where changes of lists and resources are followed. */
  readonly hub: {
    follow(lists: ReadonlySet<ListName>, caller: Caller, listener: (change: Change) => void): () => void;
  };
  /** Which items each caller may see; undefined if there is no restriction. */
  readonly guard: { hides(caller: Caller, method: string, params: JsonObject): boolean } | undefined;
  /** Called when the public information about a connection changed. */
  changed(): void;
}

/** What eras use of a connection that a server accepted. */
export interface EraConnection extends ExchangeHost {
  readonly core: ServedDefinition;
  readonly connection: Connection;
  readonly traits: Traits;
  readonly peer: Peer;
  readonly versions: Versions;
  readonly limits: ConnectionLimits;
  /** How the limits are shared out among many callers. */
  readonly shares: SharedConnectionLimits | undefined;
  /** The state of a legacy handshake. */
  legacy: LegacyState | undefined;
  /** The open subscriptions of the modern era. */
  listens: Set<Listen> | undefined;
  /** True once new requests are rejected. */
  readonly draining: boolean;
  readonly notices: {
    send(key: string, text: OutgoingMessage, lane: Lane | undefined): void;
    drop(key: string, lane: Lane | undefined): void;
    forget(prefix: string, lane: Lane | undefined): void;
  };
  readonly watches: {
    admit(asked: readonly unknown[], exchange: PendingExchange): Set<string>;
    release(uris: Iterable<string>, exchange: PendingExchange): void;
    watch(uri: string, exchange: PendingExchange, listener: (change: Change) => void): () => void;
  };
  /** Whether the client closed the lane. Nothing can be sent on it. */
  isLaneClosed(lane: Lane): boolean;
}

/** The state of a handshake, for the life of its connection. */
export interface LegacyState {
  readonly version: string;
  readonly caller: Caller;
  /** The memory that is charged for it, in bytes. */
  readonly heldBytes: number;
  /** Whether errors about unreadable messages have a null id, as in older revisions. */
  readonly nullIds: boolean;
  /** True after `notifications/initialized`. */
  ready: boolean;
  /** The level that `logging/setLevel` set. Undefined before; no logs are sent then. */
  logLevel: LogLevel | undefined;
  /** The functions that end each subscription, by URI. */
  watches: Map<string, () => void> | undefined;
  /** Ends the notifications of changed lists. */
  stopLists: (() => void) | undefined;
}

/** One open `subscriptions/listen`. */
export interface Listen {
  readonly exchange: PendingExchange;
}

/** One change, encoded once for all subscribers. */
export interface Change {
  /** Changes with the same key replace each other while a peer is slow. */
  readonly key: string;
  readonly list?: ListName;
  readonly uri?: string;
  /** The notification without a subscription id. */
  readonly plain: EncodedMessage;
  /** Returns the notification of one subscription. */
  tagged(subscription: string | number): EncodedMessage;
}
