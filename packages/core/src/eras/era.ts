import type { Id, JsonObject, Request } from '@rxmcp/jsonrpc';
import type { Arrival, Envelope, Outgoing, Refusal } from '@rxmcp/transport';
import type { Ask } from '../ask.js';
import type { Caller, Implementation } from '../context.js';
import type { LogLevel } from '../items.js';
import type { MirroredParam } from '../mirrored.js';
import type { Prepared } from '../offer.js';
import type { Topic } from '../remote.js';
import type { Exchange } from '../peer/exchange.js';
import type { PendingCall } from '../peer/calls.js';
import type { Serving } from '../server/serving.js';
import type { Session } from '../client/session.js';

/** The two ways of speaking the protocol. */
export type EraId = 'legacy' | 'modern';

/** What a request says about itself, read once. */
export interface Claim {
  readonly version: string;
  readonly caller: Caller;
  readonly meta: JsonObject;
  readonly progressToken: Id | undefined;
  readonly logLevel: LogLevel | undefined;
}

/** A method that an era answers itself, such as `initialize` or `server/discover`. */
export interface OwnMethod {
  /** May answer through `exchange` now or later. */
  handle(serving: Serving, exchange: Exchange): void;
}

/** How a failure travels, and whether it refuses the request. */
export interface Failure {
  readonly out: Outgoing;
  readonly refusal?: Refusal | undefined;
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

/** What an opening learned about the server. */
export interface Greeting {
  readonly version: string;
  readonly capabilities: JsonObject;
  readonly info: Implementation | undefined;
  readonly instructions: string | undefined;
}

/** What a call's result turns out to be. */
export type Reading =
  /** `result` is what the caller asked for, without the words of the era. */
  | { readonly kind: 'complete'; readonly result: JsonObject }
  | { readonly kind: 'asks'; readonly asks: ReadonlyMap<string, Ask>; readonly state: string | undefined };

/** What a feed tells while it is open. */
export interface FeedEvents {
  /** The server honours these topics from now on. */
  opened(topics: readonly Topic[]): void;
  /** The feed ended and has to be opened again. */
  lost(error: Error): void;
  /** The server refused a topic for good. */
  refused(topic: Topic, error: Error): void;
  /** The server ended the feed in order. */
  ended(): void;
  /** The server would not add these topics: what was open stays open. */
  failed(topics: readonly Topic[], error: Error): void;
  /** These topics could not be added, for what may pass: what was open stays open, and they have to be followed again. */
  delayed(topics: readonly Topic[], error: Error | undefined): void;
}

/** The change feed of one session. */
export interface SessionFeed {
  /** Follows exactly these topics from now on. */
  follow(topics: readonly Topic[]): void;
  /** The server acknowledged a subscription. */
  acknowledged(params: JsonObject): void;
  /** The server cancelled one of our requests: only a subscription can be meant. */
  cancelled(requestId: unknown): void;
  close(): void;
}

/** One era, seen from the dialling side. */
export interface SessionEra {
  readonly id: EraId;
  /** Parameters as they travel in this era. */
  outgoing(
    session: Session,
    method: string,
    params: JsonObject | undefined,
    extra: Outbound,
  ): JsonObject | undefined;
  /** What travels beside a request; undefined = nothing. `mirrored` names those of its parameters that do. */
  envelope(
    session: Session,
    method: string,
    params: JsonObject | undefined,
    mirrored?: readonly MirroredParam[],
  ): Envelope | undefined;
  /** Whether servers may have parameters of tools travel beside the body. */
  readonly mirrors: boolean;
  /** Reads what a result is. Throws McpError INVALID_RESULT. */
  outcome(method: string, result: JsonObject): Reading;
  /** Tells the server that nobody waits any more. */
  cancel(session: Session, call: PendingCall, reason: string): void;
  /** Whether a change notice belongs to a subscription that is open. */
  accepts(session: Session, params: JsonObject): boolean;
  feed(session: Session, events: FeedEvents): SessionFeed;
  /** Asks for logs from now on. Calls back when it holds. */
  setLogLevel(session: Session, level: LogLevel, done: (error?: Error) => void): () => void;
  /** Whether the server may send requests in this era. */
  readonly takesRequests: boolean;
  /** Whether the revision lets the server send this request. */
  lets(session: Session, method: string): boolean;
  /** Whether this batch of the server is taken. */
  takesBatch(session: Session, entries: readonly unknown[]): boolean;
  /** Announces that the client's roots changed, where the era has a word for it. */
  rootsChanged(session: Session): void;
}

/** What a request carries beside its own parameters. */
export interface Outbound {
  readonly id: number;
  readonly logLevel?: LogLevel | undefined;
  readonly meta?: JsonObject | undefined;
}
