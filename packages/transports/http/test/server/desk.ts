import type { RequestId, JsonObject, JsonRpcMessage } from '@rxmcp/jsonrpc';
import {
  type Connection,
  type ConnectionHandler,
  type Lane,
  type MemoryBudget,
  processMemory,
  type ReceiveInfo,
  type RejectionReason,
  type SendOptions,
  type TransportError,
} from '@rxmcp/transport';

/** One connection as the serving side sees it. */
export interface Seen {
  readonly connection: Connection;
  readonly received: { readonly incoming: unknown; readonly arrival: ReceiveInfo | undefined }[];
  readonly lanesClosed: Lane[];
  readonly faults: TransportError[];
  /** Undefined while it is open; then the cause, or null where it ended in order. */
  closed: TransportError | null | undefined;
  /** How often its drain was called. */
  drains: number;
}

/** A small server: it makes handshakes, echoes, notifies, asks, holds and refuses, all as the parameters say. */
export class Desk implements ConnectionHandler {
  constructor(readonly memory: MemoryBudget = processMemory()) {}

  readonly seen: Seen[] = [];
  /** How many messages of `tell` were sent. */
  told = 0;
  private readonly held: (() => void)[] = [];

  accept(connection: Connection): { drain(): Promise<void>; closed: Promise<void> } {
    const seen: Seen = {
      connection,
      received: [],
      lanesClosed: [],
      faults: [],
      closed: undefined,
      drains: 0,
    };
    this.seen.push(seen);
    const closed = new Promise<void>((resolve) => {
      connection.start({
        received: (incoming, arrival) => {
          seen.received.push({ incoming, arrival });
          for (const message of Array.isArray(incoming) ? (incoming as unknown[]) : [incoming]) {
            void this.serve(connection, message as JsonObject, arrival);
          }
        },
        laneClosed: (lane) => void seen.lanesClosed.push(lane),
        fault: (error) => void seen.faults.push(error),
        closed: (error) => {
          seen.closed = error ?? null;
          resolve();
        },
      });
    });
    const drain = async (): Promise<void> => {
      seen.drains += 1;
      this.release();
    };
    return { drain, closed };
  }

  /** The connection of everything without a session. */
  get sessionless(): Seen | undefined {
    return this.seen.findLast(({ connection }) => connection.traits.idScope === 'lane');
  }

  get sessions(): Seen[] {
    return this.seen.filter(({ connection }) => connection.traits.idScope === 'connection');
  }

  /** Lets every held request go on. */
  release(): void {
    for (const go of this.held.splice(0)) go();
  }

  get holding(): number {
    return this.held.length;
  }

  private async serve(
    connection: Connection,
    message: JsonObject,
    arrival: ReceiveInfo | undefined,
  ): Promise<void> {
    const { id, method } = message;
    if (typeof method !== 'string' || id === undefined) return;
    const params = (message.params ?? {}) as JsonObject;
    const lane: SendOptions = arrival?.lane === undefined ? {} : { lane: arrival.lane };
    const send = (out: JsonRpcMessage, more: SendOptions = {}): Promise<void> =>
      connection.send(out, { ...lane, ...more }).catch(() => undefined);
    const result = (value: JsonObject, more?: SendOptions): Promise<void> =>
      send({ jsonrpc: '2.0', id: id as RequestId, result: value }, more);
    switch (method) {
      case 'initialize':
        if (params.hold === true) await new Promise<void>((go) => this.held.push(go));
        if (params.refuse === true)
          return send(error(id as RequestId, -32602, 'no'), { completesHandshake: true });
        return result(
          { protocolVersion: params.protocolVersion, capabilities: {} },
          { completesHandshake: true },
        );
      case 'tell':
        for (let at = 0; at < Number(params.count); at += 1) {
          this.told += 1;
          const told: JsonRpcMessage = {
            jsonrpc: '2.0',
            method: 'told',
            params: { at, pad: params.pad ?? '' },
          };
          try {
            await connection.send(told, lane);
          } catch {
            return; // The caller has disconnected.
          }
        }
        if (params.hold === true) await new Promise<void>((go) => this.held.push(go));
        return result({ told: params.count, ...(params.length === undefined ? {} : large(params)) });
      case 'hold':
        await new Promise<void>((go) => this.held.push(go));
        return result({ held: true });
      case 'push':
        await connection
          .send({
            jsonrpc: '2.0',
            method: 'pushed',
            params: { ...params, ...(params.length === undefined ? {} : large(params)) },
          })
          .catch(() => undefined);
        return result({});
      case 'length':
        return result({ length: String(params.pad).length });
      case 'large':
        return result(large(params));
      case 'refuse':
        return send(error(id as RequestId, Number(params.code), 'refused', params.data), {
          rejection: params.refusal as RejectionReason,
        });
      default:
        return result({
          echo: params,
          ...(arrival?.headers === undefined ? {} : { mirror: arrival.headers }),
        });
    }
  }
}

function large({ length }: JsonObject): JsonObject {
  return { pad: 'x'.repeat(Number(length)) };
}

function error(id: RequestId, code: number, message: string, data?: unknown): JsonRpcMessage {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}
