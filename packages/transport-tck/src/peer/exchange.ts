import type { RequestId, JsonObject, JsonRpcMessage } from '@rxmcp/jsonrpc';
import type {
  Connection,
  ReceiveInfo,
  SendOptions,
  Lane,
  OutgoingMessage,
  RejectionReason,
} from '@rxmcp/transport';

/** One request of the kit on the served side. */
export interface PeerExchange {
  readonly id: RequestId;
  readonly params: JsonObject;
  /** The parameters with the `_meta` that a fixture or a rule added. */
  readonly allParams: JsonObject;
  /** Sends a message as it is, in the lane of the request. */
  send(out: OutgoingMessage): Promise<void>;
  /** Sends a request to the dialling side, in the lane of this request or on the standing stream; resolves with its result. */
  ask(id: RequestId, params: JsonObject, way: 'in the lane' | 'standing'): Promise<unknown>;
  readonly info: ReceiveInfo;
  result(result: JsonObject, hints?: SendOptions): Promise<void>;
  reject(rejection: string, code: number): Promise<void>;
  /** A notification in the lane of the request. */
  notify(method: string, params: JsonObject): Promise<void>;
  /** A notification on the standing stream. */
  requestClient(method: string, params: JsonObject): Promise<void>;
  /** Ends the lane of the request. */
  endLane(): void;
  close(): Promise<void>;
  /** The requests of the connection that are on hold. */
  readonly held: HeldRequest[];
}

/** A request on hold. */
export interface HeldRequest {
  readonly key: unknown;
  release(): void;
}

/** A request to the dialling side that has no response yet. */
export interface Question {
  readonly id: RequestId;
  readonly lane: Lane | undefined;
  answered(result: unknown): void;
}

/** What an exchange needs of its connection. */
export interface EchoPeer {
  send(out: OutgoingMessage, options?: SendOptions): Promise<void>;
  endLane(lane: Lane): void;
  close(): Promise<void>;
  readonly held: HeldRequest[];
  readonly questions: Question[];
}

/** Returns the peer that a connection is for the exchanges on it. */
export function createEchoPeer(
  connection: Pick<Connection, 'endLane' | 'close'>,
  send: EchoPeer['send'],
): EchoPeer {
  return {
    send,
    endLane: (lane) => connection.endLane(lane),
    close: () => connection.close(),
    held: [],
    questions: [],
  };
}

/** Returns the exchange of one request, which sends to the lane of the request. */
export function createPeerExchange(
  peer: EchoPeer,
  id: RequestId,
  allParams: JsonObject,
  info: ReceiveInfo,
): PeerExchange {
  const options: SendOptions = info.lane === undefined ? {} : { lane: info.lane };
  return {
    id,
    params: withoutMeta(allParams),
    allParams,
    info: info,
    send: (out) => peer.send(out, options),
    ask: async (asked, question, way) => {
      const lane = way === 'standing' ? undefined : info.lane;
      const answer = new Promise((answered) => peer.questions.push({ id: asked, lane, answered }));
      await peer.send(
        { jsonrpc: '2.0', id: asked, method: 'tck/question', params: question },
        lane && { lane },
      );
      return answer;
    },
    result: (result, hints) => peer.send({ jsonrpc: '2.0', id, result }, { ...options, ...hints }),
    reject: (rejection, code) =>
      peer.send(
        { jsonrpc: '2.0', id, error: { code, message: `rejected: ${rejection}` } },
        { ...options, rejection: rejection as RejectionReason },
      ),
    notify: (method, rest) => peer.send({ jsonrpc: '2.0', method, params: rest }, options),
    requestClient: (method, rest) => peer.send({ jsonrpc: '2.0', method, params: rest }),
    endLane: () => (info.lane === undefined ? undefined : peer.endLane(info.lane)),
    close: () => peer.close(),
    held: peer.held,
  };
}

/** Returns a prepared message with the `_meta` that its original had, in addition to that of the fixture. */
export function withMetaOf(original: JsonRpcMessage, prepared: JsonRpcMessage): JsonRpcMessage {
  const { _meta } = ('params' in original ? (original.params as JsonObject | undefined) : undefined) ?? {};
  if (_meta === undefined) return prepared;
  const params = ('params' in prepared ? (prepared.params as JsonObject | undefined) : undefined) ?? {};
  const both = { ...(params['_meta'] as JsonObject | undefined), ...(_meta as JsonObject) };
  return { ...prepared, params: { ...params, _meta: both } } as JsonRpcMessage;
}

/** Returns parameters without the `_meta` that a fixture added. */
export function withoutMeta(params: JsonObject): JsonObject {
  if (!('_meta' in params)) return params;
  const { _meta: _, ...rest } = params;
  return rest;
}
