import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Connection, SendOptions } from '@rxmcp/transport';
import type { Ask } from '../contract/ask.js';
import type { Implementation } from '../contract/context.js';
import type { LogLevel } from '../contract/report-items.js';
import type { HeaderParam } from '../contract/offer.js';
import type { Topic } from '../contract/remote-link.js';
import type { CallTimeouts, PendingCall } from '../peer/calls.js';
import type { Peer } from '../peer/peer.js';
import type { Writer } from '../peer/writer.js';
import type { EraId, Versions } from './versions.js';

/** What an opening learned about the server. */
export interface Greeting {
  readonly version: string;
  readonly capabilities: JsonObject;
  readonly info: Implementation | undefined;
  readonly instructions: string | undefined;
}

/** What a call's result turns out to be. */
export type ParsedResult =
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

/** What eras use of a client. */
export interface DialledDefinition {
  readonly info: Implementation;
  readonly capabilities: JsonObject;
  /** What a server of the modern era is told: there roots do not announce changes. */
  readonly modernCapabilities: JsonObject;
  readonly patience: CallTimeouts;
  readonly probeTimeoutMs: number;
}

/** What eras use of a connection that a client dialled. */
export interface DialledConnection {
  readonly definition: DialledDefinition;
  readonly connection: Connection;
  readonly peer: Peer;
  readonly writer: Writer;
  readonly versions: Versions;
  /** Chosen while opening. */
  era: SessionEra | undefined;
  greeting: Greeting | undefined;
  version: string;
  /** The level that requests ask for, where the era does that per request. */
  logLevel: LogLevel | undefined;
  /** Ids of the subscriptions that a server acknowledged. */
  readonly subscriptions: Set<unknown>;
  /** Sends a request of the era itself; calls back without an error when it was answered well. Returns what cancels it. */
  ask(method: string, params: JsonObject, done: (error?: Error) => void): () => void;
  /** A request whose answer does not matter. */
  tell(method: string, params: JsonObject): void;
}

/** One era, seen from the dialling side. */
export interface SessionEra {
  readonly id: EraId;
  /** Parameters as they travel in this era. */
  outgoing(
    session: DialledConnection,
    method: string,
    params: JsonObject | undefined,
    extra: Outbound,
  ): JsonObject | undefined;
  /** What travels beside a request; undefined = nothing. `mirrored` names those of its parameters that do. */
  envelope(
    session: DialledConnection,
    method: string,
    params: JsonObject | undefined,
    mirrored?: readonly HeaderParam[],
  ): SendOptions | undefined;
  /** Whether servers may have parameters of tools travel beside the body. */
  readonly sendsHeaderParams: boolean;
  /** Reads what a result is. Throws RxmcpError INVALID_RESULT. */
  readResult(method: string, result: JsonObject): ParsedResult;
  /** Tells the server that nobody waits any more. */
  cancel(session: DialledConnection, call: PendingCall, reason: string): void;
  /** Whether a change notice belongs to a subscription that is open. */
  accepts(session: DialledConnection, params: JsonObject): boolean;
  feed(session: DialledConnection, events: FeedEvents): SessionFeed;
  /** Asks for logs from now on. Calls back when it holds. */
  setLogLevel(session: DialledConnection, level: LogLevel, done: (error?: Error) => void): () => void;
  /** Whether the server may send requests in this era. */
  readonly takesRequests: boolean;
  /** Whether the revision lets the server send this request. */
  lets(session: DialledConnection, method: string): boolean;
  /** Whether this batch of the server is taken. */
  takesBatch(session: DialledConnection, entries: readonly unknown[]): boolean;
  /** Announces that the client's roots changed, where the era has a word for it. */
  rootsChanged(session: DialledConnection): void;
}

/** What a request carries beside its own parameters. */
export interface Outbound {
  readonly id: number;
  readonly logLevel?: LogLevel | undefined;
  readonly meta?: JsonObject | undefined;
}
