import type { EncodedMessage, JsonRpcMessage } from '@rxmcp/jsonrpc';
import type { TransportError } from './error.js';
import type { Traits } from './traits.js';

/**
 * Makes connections to one peer. Dialling again is allowed wherever `traits.redialable` says so.
 * Aborting `signal` while dialling rejects and leaves no child process and no socket behind.
 */
export interface Transport {
  readonly name: string;
  dial(options?: DialOptions): Promise<Connection>;
}

/** Options of one dial. */
export interface DialOptions {
  readonly signal?: AbortSignal;
}

/** What a listening side feeds with the connections it accepts. A server description of the core package is one. */
export interface ConnectionHandler {
  accept(connection: Connection): ServedConnection;
}

/** One accepted connection being served. */
export interface ServedConnection {
  /** Admits nothing new, ends subscriptions with their result, waits for running handlers at most `timeoutMs`. Never rejects. */
  drain(options: { readonly timeoutMs: number }): Promise<void>;
  /** Resolves once the connection has closed and everything that belonged to it is gone. Never rejects. */
  readonly closed: Promise<void>;
}

/** One open way to a peer. Laws: nothing is delivered before `start`; `close` is idempotent and bounded in time. */
export interface Connection {
  readonly traits: Traits;
  /** Hands over the receiver; called exactly once. Delivery begins afterwards, never inside this call. */
  start(receiver: Receiver): void;
  /**
   * Sends a message and resolves when the carrier accepted its bytes, so waiting for it is backpressure. Sends keep their
   * order per lane. Rejects with a {@link TransportError} whose `outcome` says whether the peer may have seen it.
   * Return {@link acceptedImmediately} instead of a new promise when the bytes were taken at once.
   */
  send(out: OutgoingMessage, envelope?: SendOptions): Promise<void>;
  /** Ends a lane that gets no further message (a cancelled request, a drained one). Nothing to do where lanes are shared. */
  endLane(lane: Lane): void;
  /** Closes; resolves when it is closed, whatever state it was in. `receiver.closed` is called once, last. */
  close(): Promise<void>;
}

/** What may be sent: a message, or one whose text was prepared before (fan-out, list bytes). */
export type OutgoingMessage = JsonRpcMessage | EncodedMessage;

/** Where a connection delivers. The core package implements it; it never throws. */
export interface Receiver {
  /** One message, or a batch as an array. Its shape is not trusted: any JSON value may be handed in. */
  received(incoming: unknown, arrival?: ReceiveInfo): void;
  /** A lane ended from the other side; with an error when it was cut. */
  laneClosed(lane: Lane, error?: TransportError): void;
  /** Something non-fatal: the connection lives on. With `error.reply` the serving side answers the peer with it. */
  fault(error: TransportError): void;
  /** The connection is over, with its cause unless it was closed in order. Called exactly once, and nothing follows it. */
  closed(error?: TransportError): void;
}

/** Groups the messages of one request. Opaque: compared by identity only. Absent = the standing stream of the connection. */
export type Lane = object;

/** Why an answer refuses its request; a transport maps it to its own words, such as a status code. */
export type RejectionReason =
  | 'malformed'
  | 'unknown-method'
  | 'unsupported-version'
  | 'header-mismatch'
  | 'missing-capability'
  | 'overloaded';

/** A neutral map of facts that travel beside the body: `version`, `method`, `name`, `param.*`. */
export type MessageHeaders = Readonly<Record<string, string>>;

/** What belongs to one outgoing message beside its body. */
export interface SendOptions {
  /** The request this message belongs to. */
  readonly lane?: Lane;
  /** A message whose signal has fired is not sent; where a lane is a network exchange, firing later aborts that exchange. */
  readonly signal?: AbortSignal;
  /** The negotiated protocol revision. */
  readonly version?: string;
  readonly headers?: MessageHeaders;
  readonly rejection?: RejectionReason;
  /** The last message of an opening: the transport may mint a session or open its standing lane. */
  readonly completesHandshake?: boolean;
}

/** What belongs to one incoming message beside its body. */
export interface ReceiveInfo {
  readonly lane?: Lane;
  readonly version?: string;
  readonly headers?: MessageHeaders;
  /** Who calls, as the transport authenticated it. Absent = anonymous. */
  readonly principal?: string;
}

/** The promise of a send whose bytes were taken at once; compare by identity to skip waiting. */
export const acceptedImmediately: Promise<void> = Promise.resolve();

/** Custom headers of a transport over HTTP, or a function that returns them. It runs for each attempt, so that a token can be renewed. */
export type HeadersSource =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);
