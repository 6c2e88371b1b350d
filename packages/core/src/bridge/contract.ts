import type { JsonObject, JsonRpcRequest } from '@rxmcp/jsonrpc';
import type { SendOptions, Lane, TransportError } from '@rxmcp/transport';
import type { Fault } from '../contract/faults.js';
import type { CallHandler, PendingCall } from '../peer/calls.js';
import type { ExchangeEra } from '../peer/exchange-contract.js';
import type { Exchange } from '../peer/exchange.js';
import type { HeaderParamIndex } from './mirrored-params.js';
import type { Side } from './side.js';

/** A request that is relayed, as eras and sides use it. */
export interface RelayedRequest extends CallHandler {
  /** The id of its call to the other side; NaN before the call is made. */
  readonly id: number;
  /** Set while the call is in flight. */
  call: PendingCall | undefined;
  /** True once the request was sent a second time. */
  repeated: boolean;
  readonly era: PassingEra;
  readonly exchange: Exchange;
  /** The parameters as they are relayed, except for the progress token. */
  readonly params: JsonObject | undefined;
}

/** Handles the outcome of relayed calls. */
export interface OutcomeHandler {
  /** Returns the result as the asking side may see it; undefined if the response was sent in another way. */
  result(call: RelayedRequest, result: JsonObject): JsonObject | undefined;
  /** Returns true if it handled the failure. */
  failed(call: RelayedRequest, error: Error): boolean;
}

/** The link between one client and one server, as eras and sides use it. */
export interface BridgeLink {
  readonly client: Side;
  readonly server: Side;
  /** The requests of the client. */
  readonly calls: {
    ofId(id: unknown): RelayedRequest | undefined;
    ofLane(lane: Lane): RelayedRequest | undefined;
    all(): readonly RelayedRequest[];
  };
  readonly headerParams: HeaderParamIndex;
  /** The revision that the handshake negotiated. */
  version: string | undefined;
  /** The revision that the last request without a handshake named. */
  modern: string | undefined;
  /** Whether both transports support a revision. True for an unknown one: the server decides. */
  carries(version: string): boolean;
  /** Relays a request of the client to the server. */
  toServer(era: PassingEra, exchange: Exchange, params: JsonObject | undefined): void;
  /** Relays a request of the server to the client. */
  toClient(era: PassingEra, exchange: Exchange, params: JsonObject | undefined, lane: Lane | undefined): void;
  /** The server ended a subscription with a cancellation instead of a result. */
  subscriptionEnded(call: RelayedRequest): void;
  /**
   * Ends a subscription at the client after its result: by a cancellation on a shared pipe, otherwise by closing
   * the lane.
   */
  endLane(exchange: Exchange): void;
  fault(fault: Fault): void;
  /** Handles the end of one side: fails the open requests of the other side and closes it. */
  end(which: 'client' | 'server', error: TransportError | undefined): void;
}

/** How a bridge handles an era. Content passes unchanged; only what depends on the connection is converted. */
export interface PassingEra extends ExchangeEra {
  /** Whether the server may send requests while it serves one. */
  readonly takesQuestions: boolean;
  /** Whether parameters of tools may have to be sent as headers. */
  readonly sendsHeaderParams: boolean;
  /** Rejects a request that the transports cannot relay. The other side checks everything else. Throws RpcError. */
  check(link: BridgeLink, request: JsonRpcRequest, exchange: Exchange): void;
  /** Returns the parameters without capabilities that a transport does not support. */
  outgoing(link: BridgeLink, method: string, params: JsonObject | undefined): JsonObject | undefined;
  /** Returns how a request is sent to the server. */
  sendOptions(link: BridgeLink, exchange: Exchange): SendOptions | undefined;
  /** Returns a result as the client may see it; undefined if the response was sent in another way. */
  taken(link: BridgeLink, call: RelayedRequest, result: JsonObject): JsonObject | undefined;
  /** Cancels a call at the server. */
  cancel(link: BridgeLink, call: PendingCall, reason: string): void;
}
