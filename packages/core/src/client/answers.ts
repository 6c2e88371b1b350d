import type { RequestId, JsonObject, JsonRpcRequest } from '@rxmcp/jsonrpc';
import type { ReceiveInfo, Connection, Lane } from '@rxmcp/transport';
import type { Ask } from '../contract/ask.js';
import type { Caller } from '../contract/context.js';
import { RxmcpError } from '../base/errors.js';
import type { Fault } from '../contract/faults.js';
import type { Interceptor } from '../contract/interceptor.js';
import type { MethodOffer } from '../contract/offer.js';
import type { Peer } from '../peer/peer.js';
import type { BacklogWriter } from '../peer/backlog-writer.js';
import type { Writer } from '../peer/writer.js';
import type { ConnectionLimits } from '../peer/limits.js';

/** The handlers of a client's offers, by method. */
export type Methods = ReadonlyMap<string, MethodOffer>;

/**
 * How a client answers what servers ask. Offers that answer bring it along, so that the bundle of a client without such offers does
 * not include it.
 */
export interface Answers {
  /** What the client sends with: handlers do not report more than their server reads. */
  readonly Writer: typeof BacklogWriter;
  /** The same methods with interceptors around each. */
  intercept(methods: Methods, interceptors: readonly Interceptor[], owner: object): Methods;
  /** The requests of the server of one connection. */
  requests(host: RequestsHost): ServerRequests;
  /**
   * Answers the questions of one result. Calls back once, with all answers under the keys of their questions or with the first
   * refusal. Returns what withdraws them all.
   */
  questions(
    asks: ReadonlyMap<string, Ask>,
    methods: Methods,
    from: Asked,
    done: (answers: JsonObject | Error) => void,
  ): () => void;
}

/** What the requests of a server need of their connection. */
export interface RequestsHost {
  readonly connection: Connection;
  readonly peer: Peer;
  readonly writer: Writer;
  readonly version: string;
  readonly server: Caller;
  readonly definition: { readonly limits: ConnectionLimits };
  fault(fault: Fault): void;
}

/** The requests of a server that are being answered. */
export interface ServerRequests {
  has(id: RequestId, lane: Lane | undefined): boolean;
  serve(request: JsonRpcRequest, arrival: ReceiveInfo | undefined, offer: MethodOffer): void;
  cancelled(id: RequestId, lane: Lane | undefined): void;
  /** The connection is closed. */
  over(cause: Error): void;
}

/** What answering a question needs of the session it came through. */
export interface Asked {
  /** The method of the call that asked. */
  readonly method: string;
  readonly version: string;
  readonly server: Caller;
  /** False once the call that asked has ended: its other questions are not answered. */
  isOpen(): boolean;
  fault(fault: Fault): void;
}

/** The error for a question without an offer that answers it. */
export function unanswered({ method }: Ask): RxmcpError {
  return new RxmcpError('ASK_REJECTED', `this client does not answer "${method}"`);
}
