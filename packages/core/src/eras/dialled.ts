import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Connection, SendOptions } from '@rxmcp/transport';
import type { Ask } from '../contract/ask.js';
import type { Implementation } from '../contract/context.js';
import type { LogLevel } from '../contract/report-items.js';
import type { HeaderParam } from '../contract/offer.js';
import type { CallOptions } from '../contract/remote.js';
import type { Topic } from '../contract/remote-link.js';
import type { CallTimeouts, PendingCall } from '../peer/calls.js';
import type { Peer } from '../peer/peer.js';
import type { Writer } from '../peer/writer.js';
import type { EraId, Versions } from './versions.js';

/** What a client learned about the server while opening. */
export interface Greeting {
  readonly version: string;
  readonly capabilities: JsonObject;
  readonly info: Implementation | undefined;
  readonly instructions: string | undefined;
}

/** The parsed result of a request. */
export type ParsedResult =
  /** `result` is the result without the members that only this era has. */
  | { readonly kind: 'complete'; readonly result: JsonObject }
  | { readonly kind: 'asks'; readonly asks: ReadonlyMap<string, Ask>; readonly state: string | undefined };

/** Receives the events of a change subscription. */
export interface FeedEvents {
  /** The server reports changes of these topics from now on. */
  opened(topics: readonly Topic[]): void;
  /** The subscription ended with an error and must be opened again. */
  lost(error: Error): void;
  /** The server rejected a topic for good. */
  rejected(topic: Topic, error: Error): void;
  /** The server ended the subscription in order. */
  ended(): void;
  /** The server rejected the addition of these topics. What was open stays open. */
  failed(topics: readonly Topic[], error: Error): void;
  /** These topics could not be added for now and must be followed again. What was open stays open. */
  delayed(topics: readonly Topic[], error: Error | undefined): void;
}

/** The change subscriptions of one session. */
export interface SessionFeed {
  /** Follows exactly these topics from now on. */
  follow(topics: readonly Topic[]): void;
  /** The server acknowledged a subscription. */
  acknowledged(params: JsonObject): void;
  /** The server cancelled a request. Only a subscription can be meant. */
  cancelled(requestId: unknown): void;
  close(): void;
}

/** What eras use of a client. */
export interface DialledDefinition {
  readonly info: Implementation;
  readonly capabilities: JsonObject;
  /** The capabilities that the client declares in the modern era, where roots do not announce changes. */
  readonly modernCapabilities: JsonObject;
  readonly timeouts: CallTimeouts;
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
  /** The log level that requests name, in the era that does so. */
  logLevel: LogLevel | undefined;
  /** The ids of subscriptions that the server acknowledged. */
  readonly subscriptions: Set<unknown>;
  /**
   * Sends a request of the library itself. Calls back without an error after a result. Returns a function that
   * cancels the request.
   */
  sendOwn(method: string, params: JsonObject, done: (error?: Error) => void): () => void;
  /** Sends a request and ignores the response. */
  sendAndForget(method: string, params: JsonObject): void;
}

/** One era, as a client uses it. */
export interface SessionEra {
  readonly id: EraId;
  /** Returns the parameters as this era sends them. */
  outgoing(
    session: DialledConnection,
    method: string,
    params: JsonObject | undefined,
    extra: Outbound,
  ): JsonObject | undefined;
  /**
   * Returns how a request is sent, if not in the default way. `mirrored` names the parameters that are also sent as
   * headers.
   */
  requestOptions(
    session: DialledConnection,
    method: string,
    params: JsonObject | undefined,
    headerParams?: readonly HeaderParam[],
  ): SendOptions | undefined;
  /** Whether parameters of tools can be sent as headers. */
  readonly sendsHeaderParams: boolean;
  /** Parses a result. Throws INVALID_RESULT. */
  readResult(method: string, result: JsonObject): ParsedResult;
  /** Cancels a call at the server. */
  cancel(session: DialledConnection, call: PendingCall, reason: string): void;
  /** Whether a change notification belongs to an open subscription. */
  accepts(session: DialledConnection, params: JsonObject): boolean;
  feed(session: DialledConnection, events: FeedEvents): SessionFeed;
  /** Requests logs from now on. Calls back when the server has accepted the level. */
  setLogLevel(session: DialledConnection, level: LogLevel, done: (error?: Error) => void): () => void;
  /** Whether the server may send requests in this era. */
  readonly takesRequests: boolean;
  /** Whether the revision allows the server to send this request. */
  allowsRequest(session: DialledConnection, method: string): boolean;
  /** Whether the revision allows this batch of the server. */
  takesBatch(session: DialledConnection, entries: readonly unknown[]): boolean;
  /** Announces that the roots of the client changed, if the era has such a notification. */
  rootsChanged(session: DialledConnection): void;
}

/** What is sent with a request in addition to its own parameters. */
export interface Outbound {
  readonly id: number;
  readonly meta?: JsonObject | undefined;
  /** The log level of the call, and its owner. */
  readonly options?: CallOptions | undefined;
}
