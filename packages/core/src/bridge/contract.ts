import type { JsonObject, JsonRpcRequest } from '@rxmcp/jsonrpc';
import type { SendOptions, Lane, TransportError } from '@rxmcp/transport';
import type { Fault } from '../contract/faults.js';
import type { CallHandler, PendingCall } from '../peer/calls.js';
import type { ExchangeEra } from '../peer/exchange-contract.js';
import type { Exchange } from '../peer/exchange.js';
import type { HeaderParamIndex } from './mirrored-params.js';
import type { Side } from './side.js';

/** One request on its way across a bridge, as eras and sides use it. */
export interface RelayedRequest extends CallHandler {
  /** The id of its call; NaN before the first one. */
  readonly id: number;
  /** Set while it is in flight. */
  call: PendingCall | undefined;
  /** Sent once more already. */
  repeated: boolean;
  readonly era: PassingEra;
  readonly exchange: Exchange;
  /** As they go on, but for the progress token. */
  readonly params: JsonObject | undefined;
}

/** How results and failures are handed on. */
export interface CallJoint {
  /** The result as the asking side may see it; undefined = it was handed over in another way. */
  result(call: RelayedRequest, result: JsonObject): JsonObject | undefined;
  /** True when the failure was taken care of. */
  failed(call: RelayedRequest, error: Error): boolean;
}

/** A bridge of one client and one server, as its eras and its two sides use it. */
export interface BridgeLink {
  readonly front: Side;
  readonly back: Side;
  /** The requests of the client. */
  readonly calls: {
    ofId(id: unknown): RelayedRequest | undefined;
    ofLane(lane: Lane): RelayedRequest | undefined;
    all(): readonly RelayedRequest[];
  };
  readonly marks: HeaderParamIndex;
  /** What a handshake settled. */
  version: string | undefined;
  /** What requests without a handshake were said to be of, the last time. */
  modern: string | undefined;
  /** Whether both carriers have a revision; one that nobody here knows is for the server to judge. */
  carries(version: string): boolean;
  /** Hands a request of the client on. */
  toBack(era: PassingEra, exchange: Exchange, params: JsonObject | undefined): void;
  /** Hands a question of the server on. */
  toFront(era: PassingEra, exchange: Exchange, params: JsonObject | undefined, lane: Lane | undefined): void;
  /** The server ended a subscription with a word instead of a result. */
  subscriptionEnded(call: RelayedRequest): void;
  /** The last word of a subscription on a shared pipe, after its result. */
  endWord(exchange: Exchange): void;
  fault(fault: Fault): void;
  /** One side is over: the other one ends too, and whoever waits is told. */
  end(which: 'front' | 'back', error: TransportError | undefined): void;
}

/** An era as a bridge serves it: what comes from the other side passes as it is, and only the ways of saying are its own. */
export interface PassingEra extends ExchangeEra {
  /** A server may ask while it serves a request. */
  readonly takesQuestions: boolean;
  /** Parameters of tools may have to travel beside their calls. */
  readonly sendsHeaderParams: boolean;
  /** Refuses what a carrier cannot have across the bridge; the rest is for the other side to judge. Throws RpcError. */
  check(link: BridgeLink, request: JsonRpcRequest, exchange: Exchange): void;
  /** The parameters of a request, without what a carrier cannot have. */
  outgoing(link: BridgeLink, method: string, params: JsonObject | undefined): JsonObject | undefined;
  /** What travels beside a request to the server. */
  beside(link: BridgeLink, exchange: Exchange): SendOptions | undefined;
  /** A result as the client may see it; undefined where it has been handed over in another way. */
  taken(link: BridgeLink, call: RelayedRequest, result: JsonObject): JsonObject | undefined;
  /** Tells the server that nobody waits any more. */
  cancel(link: BridgeLink, call: PendingCall, reason: string): void;
}
