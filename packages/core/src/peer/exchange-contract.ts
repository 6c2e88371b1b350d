import type { RequestId, JsonObject, JsonRpcMessage } from '@rxmcp/jsonrpc';
import type { ReceiveInfo, Lane, OutgoingMessage, RejectionReason } from '@rxmcp/transport';
import type { Ask, AskingContext } from '../contract/ask.js';
import type { Caller } from '../contract/context.js';
import type { FaultHost } from '../contract/faults.js';
import type { LogLevel } from '../contract/report-items.js';
import type { MethodOffer, PreparedResult } from '../contract/offer.js';
import type { Meter } from '../contract/stats.js';
import type { ResultSink } from '../output/settle.js';
import type { ResponseTurns } from './response-turns.js';
import type { MemoryHost } from './memory.js';
import type { BacklogWriter } from './backlog-writer.js';

/** What a request claims about itself, read once. */
export interface Claim {
  readonly version: string;
  readonly caller: Caller;
  readonly meta: JsonObject;
  readonly progressToken: RequestId | undefined;
  readonly logLevel: LogLevel | undefined;
}

/** What an exchange needs of its connection. */
export interface ExchangeHost extends FaultHost, MemoryHost {
  readonly writer: BacklogWriter;
  /** Divides the time of the event loop among callers. @default responses are sent at once */
  readonly turns?: ResponseTurns;
  /** Removes the exchange from all tables. */
  finished(exchange: PendingExchange): void;
  /** Counts requests; undefined without `stats`. */
  readonly meter?: Meter | undefined;
}

/** A request being served, as eras and reports use it. */
export interface PendingExchange extends AskingContext, ResultSink<JsonObject | PreparedResult> {
  readonly host: ExchangeHost;
  readonly era: ExchangeEra;
  /** A subscription, which stays open without them, releases its metadata and its parameters. */
  claim: Claim;
  readonly receiveInfo: ReceiveInfo | undefined;
  /** The memory that is charged for this request, in bytes. */
  heldBytes: number;
  readonly id: RequestId;
  params: JsonObject;
  readonly lane: Lane | undefined;
  /** The offer that handles the method. */
  readonly offer: MethodOffer | undefined;
  readonly isOpen: boolean;
  /** True if the claims of the request could not be read, so that no handler runs. */
  readonly unread: boolean;
  /** True if its response completes the handshake. */
  opens: boolean;
  /** The state that an era keeps about the asks of this request. */
  asks: unknown;
  /** The first notification that the handler sent with `notify`. */
  readonly firstNotification: JsonRpcMessage | undefined;
  /** What the handler reported; undefined if nothing. */
  readonly reports: { readonly lastProgress: number } | undefined;
  /** Called when the exchange ends, so that the era can clean up. */
  onEnd: ((isCancelled: boolean) => void) | undefined;
  /** Stops the running handler without a response. The era responds later with `resumeWith`. */
  suspend(reason: Error): void;
  /** Responds to a suspended exchange. */
  resumeWith(out: OutgoingMessage): void;
  /** Rejects the request because there is no handler for its method. */
  unknownMethod(): void;
  /** Rejects the request because a limit is reached. */
  overloaded(): void;
  /** Ends it without a response: it was cancelled, or its connection closed. */
  cancel(reason: Error): void;
  /** Sends a message on the lane of this request. */
  send(message: JsonRpcMessage): void;
}

/** The response to a failure, and the reason if it rejects the request. */
export interface Failure {
  readonly out: OutgoingMessage;
  readonly rejection?: RejectionReason | undefined;
}

/** How an era responds to requests. */
export interface ExchangeEra {
  result(exchange: PendingExchange, value: JsonObject | PreparedResult): OutgoingMessage;
  failure(exchange: PendingExchange, error: unknown): Failure;
  /** Absent where requests have no log messages. */
  wantsLog?(exchange: PendingExchange, level: LogLevel): boolean;
  /** Whether progress of this request may have a message. Absent where it always may. */
  hasProgressText?(exchange: PendingExchange): boolean;
  ask(exchange: PendingExchange, key: string, ask: Ask): Promise<JsonObject>;
  /** Returns which run of the handler this is. Absent where a handler runs once. */
  round?(exchange: PendingExchange): number;
  /** Sends a custom request to the caller. */
  request(exchange: PendingExchange, method: string, params: JsonObject | undefined): Promise<JsonObject>;
  step<T>(exchange: PendingExchange, key: string, fn: () => T | PromiseLike<T>): Promise<T>;
  /** The lane of a running request closed from the other side. */
  laneClosed(exchange: PendingExchange): void;
}
