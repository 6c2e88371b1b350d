import type { JsonObject, Request } from '@rxmcp/jsonrpc';
import { Encoded } from '@rxmcp/jsonrpc';
import type { Arrival, Outgoing } from '@rxmcp/transport';
import type { Ask } from '../contract/ask.js';
import type { Caller } from '../contract/context.js';
import type { LogLevel } from '../contract/items.js';
import type { ListName, Prepared } from '../contract/offer.js';
import type { PendingCall } from '../peer/calls.js';
import type { Claim, Failure } from '../peer/exchange-contract.js';
import type { Exchange } from '../peer/exchange.js';
import type { Serving } from '../server/server-connection.js';
import type { EraId } from './versions.js';

/** A method that an era answers itself, such as `initialize` or `server/discover`. */
export interface OwnMethod {
  /** May answer through `exchange` now or later. */
  handle(serving: Serving, exchange: Exchange): void;
}

/** One era, seen from the serving side. Both eras implement it with files of the same names. */
export interface ServedEra {
  readonly id: EraId;
  readonly own: ReadonlyMap<string, OwnMethod>;
  /** Reads what a request claims. Throws RpcError or McpError to refuse it. */
  claim(serving: Serving, request: Request, arrival: Arrival | undefined): Claim;
  /** Whether this era lets the method be offered at all. */
  has(method: string): boolean;
  /** Work to be done before a handler runs, such as opening sealed state; undefined = none. Throws to refuse the request. */
  readonly prepare: ((serving: Serving, exchange: Exchange) => Promise<void> | undefined) | undefined;
  result(exchange: Exchange, value: JsonObject | Prepared): Outgoing;
  failure(exchange: Exchange, error: unknown): Failure;
  wantsLog(exchange: Exchange, level: LogLevel): boolean;
  /** Whether progress of this request may say something in words. */
  hasProgressText(exchange: Exchange): boolean;
  ask(exchange: Exchange, key: string, ask: Ask): Promise<JsonObject>;
  /** A request of one's own to the caller. */
  request(exchange: Exchange, method: string, params: JsonObject | undefined): Promise<JsonObject>;
  once<T>(exchange: Exchange, key: string, fn: () => T | PromiseLike<T>): Promise<T>;
  /** Tells the caller that nobody waits for its answer to a request of ours any more. */
  withdraw(serving: Serving, call: PendingCall): void;
  /** The lane of a running request closed from the other side. */
  laneClosed(exchange: Exchange): void;
  /** Ends the subscriptions of a connection in the era's orderly way. */
  endFeeds(serving: Serving): void;
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
  readonly exchange: Exchange;
}

/** One change, prepared once for everybody who hears of it. */
export interface Change {
  /** Changes of one key replace each other while a peer is slow. */
  readonly key: string;
  readonly list?: ListName;
  readonly uri?: string;
  /** The notice without a subscription. */
  readonly plain: Encoded;
  /** The notice of one subscription. */
  tagged(subscription: string | number): Encoded;
}
