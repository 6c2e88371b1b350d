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
  /** What the connection has on hold. */
  readonly held: (() => void)[];
}

/** What an exchange needs of the connection it came on. */
export interface EchoPeer {
  send(out: OutgoingMessage, envelope?: SendOptions): Promise<void>;
  endLane(lane: Lane): void;
  close(): Promise<void>;
  readonly held: (() => void)[];
}

/** Everything that one request says goes to its lane. */
export function createPeerExchange(
  speaker: EchoPeer,
  id: RequestId,
  params: JsonObject,
  arrival: ReceiveInfo,
): PeerExchange {
  const envelope: SendOptions = arrival.lane === undefined ? {} : { lane: arrival.lane };
  return {
    params,
    info: arrival,
    result: (result, hints) => speaker.send({ jsonrpc: '2.0', id, result }, { ...envelope, ...hints }),
    refuse: (refusal, code) =>
      speaker.send(
        { jsonrpc: '2.0', id, error: { code, message: `refused: ${refusal}` } },
        { ...envelope, rejection: refusal as RejectionReason },
      ),
    notify: (method, rest) => speaker.send({ jsonrpc: '2.0', method, params: rest }, envelope),
    requestClient: (method, rest) => speaker.send({ jsonrpc: '2.0', method, params: rest }),
    endLane: () => (arrival.lane === undefined ? undefined : speaker.endLane(arrival.lane)),
    close: () => speaker.close(),
    held: speaker.held,
  };
}

/** Parameters without what a rig dressed them in. */
export function withoutMeta(params: JsonObject): JsonObject {
  if (!('_meta' in params)) return params;
  const { _meta: _, ...rest } = params;
  return rest;
}
