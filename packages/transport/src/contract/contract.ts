import type { EncodedMessage, JsonObject, JsonRpcMessage } from '@rxmcp/jsonrpc';
import type { TransportError } from './error.js';
import type { MemoryBudget } from '../memory/memory-budget.js';
import type { Traits } from './traits.js';

/**
 * Dials connections to one peer. It may dial again where `traits.redialable` is true. Aborting `signal` while dialling rejects with
 * `DIAL_ABORTED` and leaves no child process and no socket behind.
 */
export interface Transport {
  readonly name: string;
  dial(options?: DialOptions): Promise<Connection>;
  /** Returns whether a request waits for a person, such as one who signs in. Limits of the time to connect do not apply meanwhile. @default never */
  isWaiting?(): boolean;
}

/** Adds credentials to the requests of a transport over HTTP, and renews them when the server rejects them. {@link HeadersSource} cannot. */
export interface Authorizer {
  /** Returns the headers that a request needs, such as `authorization`. Called for each attempt. */
  headers(request: AuthorizedRequest): Promise<Readonly<Record<string, string>>>;
  /**
   * Receives a response with status 401 or 403. Resolves with whether the request may be sent again, with new headers;
   * rejects where that is known to be of no use.
   */
  challenged(request: AuthorizedRequest, response: AuthorizationChallenge): Promise<boolean>;
  /** Returns whether it waits for a person: for the server with this URL, or for any. */
  isWaiting(server?: string): boolean;
}

/** A request that an {@link Authorizer} adds credentials to. */
export interface AuthorizedRequest {
  readonly method: string;
  readonly url: string;
  /** The URL of the server, where a request goes to another one of it, such as a POST of HTTP+SSE. @default url */
  readonly server?: string;
}

/** A response with status 401 or 403. */
export interface AuthorizationChallenge {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  /** The headers that {@link Authorizer.headers} returned for the request. */
  readonly sent: Readonly<Record<string, string>>;
  /** How often this request has been sent. */
  readonly attempt: number;
}

/** Options of {@link Transport.dial}. */
export interface DialOptions {
  readonly signal?: AbortSignal;
}

/** Receives the connections that a listening side accepts. The servers of the core package implement it. */
export interface ConnectionHandler {
  /** The budget of what its peers make it keep; a listener charges it for what has not arrived in full. @default that of the process */
  readonly memory?: MemoryBudget;
  /**
   * Whether requests of different principals must have different connections, such as where each connection is joined to one behind
   * it that cannot distinguish them. Connections with `idScope: 'lane'` then have the principal in their traits. A handler that wraps
   * another must pass it on. @default false
   */
  readonly connectionPerPrincipal?: boolean;
  accept(connection: Connection): ServedConnection;
}

/** Controls one accepted connection that is being served. */
export interface ServedConnection {
  /** Rejects new requests, ends subscriptions with their result, and waits for running handlers at most `timeoutMs` milliseconds. Never rejects. */
  drain(options: { readonly timeoutMs: number }): Promise<void>;
  /** Resolves once the connection has closed and everything that belonged to it has ended. Never rejects. */
  readonly closed: Promise<void>;
}

/** Sends messages to a peer and delivers its messages. Nothing is delivered before `start`; `close` is idempotent and bounded in time. */
export interface Connection {
  readonly traits: Traits;
  /** Sets the receiver; called exactly once. Delivery begins afterwards, never inside this call. */
  start(receiver: Receiver): void;
  /**
   * Sends a message and resolves when the transport has accepted its bytes: awaiting it is backpressure. Sends keep their order per
   * lane. Rejects with a {@link TransportError} whose `outcome` states whether the peer may have received the message.
   * Implementations return {@link acceptedImmediately} instead of a new promise when the bytes were accepted at once.
   */
  send(out: OutgoingMessage, sendOptions?: SendOptions): Promise<void>;
  /** Ends a lane that gets no further messages, such as that of a cancelled or drained request. No effect where one lane is shared. */
  endLane(lane: Lane): void;
  /** Closes the connection and resolves when it is closed, in any state. `receiver.closed` is called once, last. */
  close(): Promise<void>;
}

/** A message to send, or a message that is already encoded, such as one for many subscribers. */
export type OutgoingMessage = JsonRpcMessage | EncodedMessage;

/** Receives what a connection delivers. The core package implements it; its methods must not throw. */
export interface Receiver {
  /**
   * Receives one message, or a batch as an array. Its shape is not trusted: any JSON value may be passed. `heldBytes` is the memory
   * that it takes, see `estimateRequestBytes`; absent where messages come from this process.
   */
  received(incoming: unknown, info?: ReceiveInfo, heldBytes?: number): void;
  /** Reports that the other side ended a lane, with an error when it was cut. */
  laneClosed(lane: Lane, error?: TransportError): void;
  /** Reports an error that does not end the connection. The server side sends `error.reply` to the peer, where there is one. */
  fault(error: TransportError): void;
  /** Reports the end of the connection, with its cause unless it was closed in order. Called exactly once, and last. */
  closed(error?: TransportError): void;
}

/** Groups the messages of one request. Opaque: compare it by identity. Absent = the standing stream of the connection. */
export type Lane = object;

/** States why a response rejects its request. A transport maps it to its own terms, such as an HTTP status. */
export type RejectionReason =
  | 'malformed'
  | 'unknown-method'
  | 'unsupported-version'
  | 'header-mismatch'
  | 'missing-capability'
  /** `error.data.requiredScopes` of the response names the scopes. */
  | 'insufficient-scope'
  | 'overloaded';

/** Maps the headers of a message, independent of the transport: `version`, `method`, `name`, `param.*`. */
export type MessageHeaders = Readonly<Record<string, string>>;

/** Options of sending one message. */
export interface SendOptions {
  /** The lane of the request that this message belongs to. */
  readonly lane?: Lane;
  /** A message with an aborted signal is not sent. Where a lane is an HTTP exchange, aborting later aborts that exchange. */
  readonly signal?: AbortSignal;
  /** The negotiated protocol revision. */
  readonly version?: string;
  readonly headers?: MessageHeaders;
  readonly rejection?: RejectionReason;
  /** Whether this message completes the handshake: the transport may then create a session or open its standing stream. */
  readonly completesHandshake?: boolean;
  /** The name under which the response to this request is charged while it arrives, see {@link MemoryBudget}. @default that of the connection */
  readonly holder?: string | undefined;
}

/** Describes how one message was received. */
export interface ReceiveInfo {
  readonly lane?: Lane;
  readonly version?: string;
  readonly headers?: MessageHeaders;
  /** The name under which the memory of this message is charged, where a connection has many callers. Absent = that of the traits. */
  readonly holder?: string;
  /** The authenticated caller. Absent = anonymous. */
  readonly principal?: string;
  /** What else was found out about the caller. Ignored without `principal`. */
  readonly claims?: JsonObject;
  /** What the caller may do. Ignored without `principal`. */
  readonly scopes?: readonly string[];
}

/** The promise that `send` returns when the bytes were accepted at once. Compare it by identity to skip waiting. */
export const acceptedImmediately: Promise<void> = Promise.resolve();

/** Custom headers of a transport over HTTP, or a function that returns them. It runs for each attempt, so that a token can be renewed. */
export type HeadersSource =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);
