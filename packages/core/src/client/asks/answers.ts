import type { RequestId, JsonObject, JsonRpcRequest } from '@rxmcp/jsonrpc';
import type { ReceiveInfo, Connection, Lane } from '@rxmcp/transport';
import type { Ask } from '../../contract/ask.js';
import type { AskHost } from '../../contract/call-owner.js';
import type { Caller } from '../../contract/context.js';
import { RxmcpError } from '../../base/errors.js';
import type { Fault } from '../../contract/faults.js';
import type { Interceptor } from '../../contract/interceptor.js';
import type { MethodOffer, NotificationOffer } from '../../contract/offer.js';
import type { Peer } from '../../peer/peer.js';
import type { BacklogWriter } from '../../peer/backlog-writer.js';
import type { Writer } from '../../peer/writer.js';
import type { ConnectionLimits } from '../../peer/limits.js';

/** The handlers of a client's offers, by method. */
export type Methods = ReadonlyMap<string, MethodOffer>;

/**
 * How a client handles requests of servers. Offers that handle requests refer to it, so that a client without such
 * offers does not bundle it.
 */
export interface Answers {
  /** The writer of the client, which limits what handlers report while the server does not read. */
  readonly Writer: typeof BacklogWriter;
  /** Returns the methods with interceptors around each. */
  intercept(methods: Methods, interceptors: readonly Interceptor[], owner: object): Methods;
  /** Creates the request handling of one connection. */
  requests(host: RequestsHost): ServerRequests;
  /**
   * Handles the asks of one result, which are charged meanwhile. Calls back once: with all answers under the keys of
   * their asks, or with the first error. Returns a function that cancels all of them.
   */
  questions(
    asks: ReadonlyMap<string, Ask>,
    methods: Methods,
    from: Asked,
    done: (answers: JsonObject | Error) => void,
  ): () => void;
}

/** What request handling needs of its connection. */
export interface RequestsHost {
  readonly connection: Connection;
  readonly peer: Peer;
  readonly writer: Writer;
  readonly version: string;
  readonly holder: string;
  readonly server: Caller;
  readonly definition: { readonly limits: ConnectionLimits };
  fault(fault: Fault): void;
}

/** The requests of a server that are in progress, and its notifications. */
export interface ServerRequests {
  has(id: RequestId, lane: Lane | undefined): boolean;
  serve(
    request: JsonRpcRequest,
    receiveInfo: ReceiveInfo | undefined,
    offer: MethodOffer,
    heldBytes: number,
  ): void;
  cancelled(id: RequestId, lane: Lane | undefined): void;
  notified(offer: NotificationOffer, params: JsonObject): void;
  /** Called when the connection is closed. */
  over(cause: Error): void;
}

/** What handling an ask needs of its session. */
export interface Asked extends AskHost {
  /** The method of the call that asked. */
  readonly method: string;
  readonly version: string;
  readonly server: Caller;
  /** The name under which the asks are charged. */
  readonly holder: string;
  /** False once the call that asked has ended. Its remaining asks are then not handled. */
  isOpen(): boolean;
  fault(fault: Fault): void;
}

/** Creates the error for an ask without an offer that handles it. */
export function unanswered({ method }: Ask): RxmcpError {
  return new RxmcpError('ASK_REJECTED', `this client does not answer "${method}"`);
}
