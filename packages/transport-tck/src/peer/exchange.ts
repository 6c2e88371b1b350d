import type { RequestId, JsonObject } from '@rxmcp/jsonrpc';
import type { ReceiveInfo, SendOptions, Lane, OutgoingMessage, RejectionReason } from '@rxmcp/transport';

/** One request of the kit on the served side. */
export interface PeerExchange {
  readonly params: JsonObject;
  readonly info: ReceiveInfo;
  result(result: JsonObject, hints?: SendOptions): Promise<void>;
  refuse(refusal: string, code: number): Promise<void>;
  /** A notification in the lane of the request. */
  notify(method: string, params: JsonObject): Promise<void>;
  /** A notification on the standing stream. */
  requestClient(method: string, params: JsonObject): Promise<void>;
  /** Ends the lane of the request. */
  endLane(): void;
  close(): Promise<void>;
  /** The requests of the connection that are on hold: each function answers one. */
  readonly held: (() => void)[];
}

/** What an exchange needs of its connection. */
export interface EchoPeer {
  send(out: OutgoingMessage, options?: SendOptions): Promise<void>;
  endLane(lane: Lane): void;
  close(): Promise<void>;
  readonly held: (() => void)[];
}

/** Returns the exchange of one request, which sends to the lane of the request. */
export function createPeerExchange(
  peer: EchoPeer,
  id: RequestId,
  params: JsonObject,
  info: ReceiveInfo,
): PeerExchange {
  const options: SendOptions = info.lane === undefined ? {} : { lane: info.lane };
  return {
    params,
    info: info,
    result: (result, hints) => peer.send({ jsonrpc: '2.0', id, result }, { ...options, ...hints }),
    refuse: (refusal, code) =>
      peer.send(
        { jsonrpc: '2.0', id, error: { code, message: `refused: ${refusal}` } },
        { ...options, rejection: refusal as RejectionReason },
      ),
    notify: (method, rest) => peer.send({ jsonrpc: '2.0', method, params: rest }, options),
    requestClient: (method, rest) => peer.send({ jsonrpc: '2.0', method, params: rest }),
    endLane: () => (info.lane === undefined ? undefined : peer.endLane(info.lane)),
    close: () => peer.close(),
    held: peer.held,
  };
}

/** Returns parameters without the `_meta` that a fixture added. */
export function withoutMeta(params: JsonObject): JsonObject {
  if (!('_meta' in params)) return params;
  const { _meta: _, ...rest } = params;
  return rest;
}
