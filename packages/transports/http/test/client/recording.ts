import type { RequestId, JsonObject, JsonRpcRequest } from '@rxmcp/jsonrpc';
import type { ReceiveInfo, Connection, SendOptions, Lane, Receiver, TransportError } from '@rxmcp/transport';
import { expect, onTestFinished, vi } from 'vitest';
import { createHttpTransport } from '../../src/client/http.js';
import type { HttpOptions } from '../../src/client/options.js';
import { timing, type Timing } from '../../src/client/time/timing.js';

/** Times short enough for tests with real sockets. */
export const quick: Timing = {
  ...timing,
  firstRetryDelayMs: 5,
  maxRetryDelayMs: 20,
  afterResponseTimeoutMs: 50,
};

/** What happened on one dialled connection. */
export class Recording implements Receiver {
  readonly deliveries: { readonly incoming: JsonObject; readonly lane: Lane | undefined }[] = [];
  readonly lanesClosed: { readonly lane: Lane; readonly error: TransportError | undefined }[] = [];
  readonly faults: TransportError[] = [];
  readonly closes: (TransportError | undefined)[] = [];
  readonly late: string[] = [];
  /** The memory that each message takes, as the connection says. */
  readonly heldBytes: number[] = [];

  constructor(readonly connection: Connection) {}

  received(incoming: unknown, arrival?: ReceiveInfo, heldBytes = 0): void {
    this.note('received');
    this.heldBytes.push(heldBytes);
    this.deliveries.push({ incoming: incoming as JsonObject, lane: arrival?.lane });
  }

  laneClosed(lane: Lane, error?: TransportError): void {
    this.note('laneClosed');
    this.lanesClosed.push({ lane, error });
  }

  fault(error: TransportError): void {
    this.note('fault');
    this.faults.push(error);
  }

  closed(error?: TransportError): void {
    this.note('closed');
    this.closes.push(error);
  }

  /** Everything that came, without its lane. */
  get messages(): JsonObject[] {
    return this.deliveries.map(({ incoming }) => incoming);
  }

  /** Sends a request in a lane of its own. */
  ask(id: RequestId, method = 'tools/list', envelope: SendOptions = {}, params: JsonObject = {}): Lane {
    const lane = envelope.lane ?? {};
    const request: JsonRpcRequest = { jsonrpc: '2.0', id, method, params };
    void this.connection.send(request, { ...envelope, lane });
    return lane;
  }

  tell(method: string, envelope?: SendOptions): Promise<void> {
    return this.connection.send({ jsonrpc: '2.0', method }, envelope);
  }

  /** The error with which a request ended. */
  async failure(lane: Lane): Promise<TransportError> {
    await until(() => this.lanesClosed.some((closed) => closed.lane === lane));
    const { error } = this.lanesClosed.find((closed) => closed.lane === lane) ?? {};
    if (error === undefined) throw new Error('the lane was closed without an error');
    return error;
  }

  /** Waits for so many messages. */
  async arrived(count: number): Promise<JsonObject[]> {
    await until(() => this.deliveries.length >= count);
    return this.messages;
  }

  private note(callback: string): void {
    if (this.closes.length > 0) this.late.push(callback);
  }
}

/** Dials and starts; the connection is closed with its test. */
export async function dialled(
  url: string,
  options: HttpOptions = {},
  times: Partial<Timing> = {},
): Promise<Recording> {
  const connection = await createHttpTransport(new URL(url), options, { ...quick, ...times }).dial();
  onTestFinished(() => connection.close());
  const recording = new Recording(connection);
  connection.start(recording);
  return recording;
}

/** Opens a session with the handshake, up to the point where its standing stream is wanted. */
export async function opened(
  url: string,
  options: HttpOptions = {},
  times: Partial<Timing> = {},
): Promise<Recording> {
  const client = await dialled(url, options, times);
  client.ask(0, 'initialize');
  await client.arrived(1);
  client.deliveries.length = 0;
  await client.tell('notifications/initialized', { completesHandshake: true, version: '2025-11-25' });
  return client;
}

/** Waits for a condition. */
export async function until(condition: () => boolean): Promise<void> {
  await vi.waitUntil(condition, { interval: 2 });
}

/** Expects something that takes a while, longer on a busy machine. */
export function eventually<T>(value: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(value);
}
