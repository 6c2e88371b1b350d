import type { RequestId, JsonObject, JsonRpcMessage } from '@rxmcp/jsonrpc';
import type { ReceiveInfo, Lane, OutgoingMessage, RejectionReason } from '@rxmcp/transport';
import type { Ask, AskingContext } from '../contract/ask.js';
import type { Caller } from '../contract/context.js';
import type { Fault } from '../contract/faults.js';
import type { LogLevel } from '../contract/report-items.js';
import type { MethodOffer, PreparedResult } from '../contract/offer.js';
import type { Meter } from '../contract/stats.js';
import type { ResultSink } from '../output/settle.js';
import type { BacklogWriter } from './backlog-writer.js';

/** What a request says about itself, read once. */
export interface Claim {
  readonly version: string;
  readonly caller: Caller;
  readonly meta: JsonObject;
  readonly progressToken: RequestId | undefined;
  readonly logLevel: LogLevel | undefined;
}

/** What an exchange needs of the connection it belongs to. */
export interface ExchangeHost {
  readonly writer: BacklogWriter;
  /** Takes the exchange out of every table. */
  finished(exchange: PendingExchange): void;
  fault(fault: Fault): void;
  /** Who counts what goes on; undefined = nobody. */
  readonly meter?: Meter | undefined;
}

/** An incoming request while it is served, as eras and reports use it. */
export interface PendingExchange extends AskingContext, ResultSink<JsonObject | PreparedResult> {
  readonly host: ExchangeHost;
  readonly era: ExchangeEra;
  readonly claim: Claim;
  readonly arrival: ReceiveInfo | undefined;
  readonly id: RequestId;
  readonly params: JsonObject;
  readonly lane: Lane | undefined;
  /** What answers it. */
  readonly offer: MethodOffer | undefined;
  readonly isOpen: boolean;
  /** Its claims could not be read, so that it never came to a handler. */
  readonly unread: boolean;
  /** The answer to it completes an opening. */
  opens: boolean;
  /** What an era remembers of its asks. */
  asks: unknown;
  /** Called when the exchange ends in whatever way, with whether it was cancelled; eras tidy up here. */
  onEnd: ((isCancelled: boolean) => void) | undefined;
  /** Gives the running handler up and keeps the exchange: its era answers in another way. */
  suspend(reason: Error): void;
  /** Answers a suspended exchange. */
  resumeWith(out: OutgoingMessage): void;
  /** Refuses it because nobody answers its method. */
  unknownMethod(): void;
  /** Refuses it because too much is going on. */
  overloaded(): void;
  /** Ends it without an answer: cancelled, or its connection is gone. */
  cancel(reason: Error): void;
  /** Sends something that belongs to this request. */
  send(message: JsonRpcMessage): void;
}

/** How a failure travels, and whether it refuses the request. */
export interface Failure {
  readonly out: OutgoingMessage;
  readonly refusal?: RejectionReason | undefined;
}

/** How an exchange answers: what an era decides about a single request. */
export interface ExchangeEra {
  result(exchange: PendingExchange, value: JsonObject | PreparedResult): OutgoingMessage;
  failure(exchange: PendingExchange, error: unknown): Failure;
  wantsLog(exchange: PendingExchange, level: LogLevel): boolean;
  /** Whether progress of this request may say something in words. */
  hasProgressText(exchange: PendingExchange): boolean;
  ask(exchange: PendingExchange, key: string, ask: Ask): Promise<JsonObject>;
  /** A request of one's own to the caller. */
  request(exchange: PendingExchange, method: string, params: JsonObject | undefined): Promise<JsonObject>;
  step<T>(exchange: PendingExchange, key: string, fn: () => T | PromiseLike<T>): Promise<T>;
  /** The lane of a running request closed from the other side. */
  laneClosed(exchange: PendingExchange): void;
}
