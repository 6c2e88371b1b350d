import type { Id, JsonObject } from '@rxmcp/jsonrpc';
import type { Arrival, Envelope, Lane, Outgoing, Refusal } from '@rxmcp/transport';

/** One request of the kit on the served side. */
export interface Exchange {
  readonly params: JsonObject;
  readonly arrival: Arrival;
  result(result: JsonObject, hints?: Envelope): Promise<void>;
  refuse(refusal: string, code: number): Promise<void>;
  /** A notification in the lane of the request. */
  notify(method: string, params: JsonObject): Promise<void>;
  /** A notification on the standing stream. */
  push(method: string, params: JsonObject): Promise<void>;
  /** Ends the lane of the request. */
  endLane(): void;
  close(): Promise<void>;
  /** What the connection has on hold. */
  readonly held: (() => void)[];
}

/** What an exchange needs of the connection it came on. */
export interface Speaker {
  send(out: Outgoing, envelope?: Envelope): Promise<void>;
  endLane(lane: Lane): void;
  close(): Promise<void>;
  readonly held: (() => void)[];
}

/** Everything that one request says goes to its lane. */
export function exchangeOf(speaker: Speaker, id: Id, params: JsonObject, arrival: Arrival): Exchange {
  const envelope: Envelope = arrival.lane === undefined ? {} : { lane: arrival.lane };
  return {
    params,
    arrival,
    result: (result, hints) => speaker.send({ jsonrpc: '2.0', id, result }, { ...envelope, ...hints }),
    refuse: (refusal, code) =>
      speaker.send(
        { jsonrpc: '2.0', id, error: { code, message: `refused: ${refusal}` } },
        { ...envelope, refusal: refusal as Refusal },
      ),
    notify: (method, rest) => speaker.send({ jsonrpc: '2.0', method, params: rest }, envelope),
    push: (method, rest) => speaker.send({ jsonrpc: '2.0', method, params: rest }),
    endLane: () => (arrival.lane === undefined ? undefined : speaker.endLane(arrival.lane)),
    close: () => speaker.close(),
    held: speaker.held,
  };
}

/** Parameters without what a rig dressed them in. */
export function bare(params: JsonObject): JsonObject {
  if (!('_meta' in params)) return params;
  const { _meta: _, ...rest } = params;
  return rest;
}
