import type { RequestId, JsonObject, JsonRpcMessage } from '@rxmcp/jsonrpc';
import { EncodedMessage } from '@rxmcp/jsonrpc';
import type { ReceiveInfo, Connection, SendOptions, Lane, OutgoingMessage, Receiver } from '@rxmcp/transport';
import { TransportError } from '@rxmcp/transport';
import { withoutMeta } from '../peer/exchange.js';
import { assert } from '../stage/assert.js';
import type { CallTracker } from './call-tracker.js';
import type { OutgoingFrame } from './fixture.js';
import type { Side, Trace } from './trace.js';
import type { PendingWaits } from './pending-waits.js';

/** One thing that `received` was called with. */
export interface Delivery {
  readonly incoming: unknown;
  readonly info: ReceiveInfo | undefined;
}

/** What a rig makes of a message. */
export type Prepare = (message: JsonRpcMessage, envelope: SendOptions) => OutgoingFrame;

/** What the ends of one law share. */
export interface ConnectionProbeOptions {
  readonly side: Side;
  readonly trace: Trace;
  readonly calls: CallTracker;
  readonly waits: PendingWaits;
  readonly prepare?: Prepare;
  /** What the openings of the rig are made of. */
  readonly openingMethods: ReadonlySet<unknown>;
}

/** How an end without a cause is shown. */
export const inOrder = 'in order';

const undressed: Prepare = (message, envelope) => ({ message, options: envelope });

/** A connection with everything that happened on it; the laws look at these lists. */
export class ConnectionProbe implements Receiver {
  readonly deliveries: Delivery[] = [];
  /** What opened the session; such messages are no deliveries. */
  readonly openings: Delivery[] = [];
  readonly faults: TransportError[] = [];
  readonly lanesClosed: { readonly lane: Lane; readonly error: TransportError | undefined }[] = [];
  /** One entry per call of `closed`. */
  readonly closes: (TransportError | undefined)[] = [];
  /** What was called after `closed`. */
  readonly late: string[] = [];
  onReceived: (incoming: unknown, arrival: ReceiveInfo | undefined) => void = () => undefined;
  onClosed: () => void = () => undefined;

  readonly connection: Connection;
  readonly side: Side;
  readonly #trace: Trace;
  readonly #calls: CallTracker;
  readonly #waits: PendingWaits;
  readonly #dress: Prepare;
  readonly #openingMethods: ReadonlySet<unknown>;
  #asked = 0;

  constructor(connection: Connection, { prepare = undressed, ...shared }: ConnectionProbeOptions) {
    this.connection = connection;
    this.side = shared.side;
    this.#trace = shared.trace;
    this.#calls = shared.calls;
    this.#waits = shared.waits;
    this.#openingMethods = shared.openingMethods;
    this.#dress = prepare;
  }

  start(): void {
    this.#calls.during('start', () => this.connection.start(this));
  }

  /** Sends what the rig makes of a message; an encoded one is what it is. */
  send(out: OutgoingMessage, envelope: SendOptions = {}): Promise<void> {
    const message = out instanceof EncodedMessage ? (out.message as JsonRpcMessage) : out;
    const dressed = this.#dress(message, envelope);
    return this.sendBare(out instanceof EncodedMessage ? out : dressed.message, dressed.options);
  }

  /** Sends a message as it is. */
  sendBare(out: OutgoingMessage, envelope: SendOptions): Promise<void> {
    this.#trace.sent(this.side, out);
    const sent: unknown = this.#calls.during('send', () => this.connection.send(out, envelope));
    const thenable = typeof (sent as Promise<void> | undefined)?.then === 'function';
    assert(thenable, `send() returned ${String(sent)}, which is no promise`);
    this.#waits.send(sent as Promise<void>);
    (sent as Promise<void>).then(undefined, (error: unknown) => this.#trace.refused(this.side, error));
    return sent as Promise<void>;
  }

  /** An id that the kit has not used on this connection. */
  newId(of: string): RequestId {
    this.#asked += 1;
    return `${of}#${String(this.#asked)}`;
  }

  /** Sends a request, in a lane of its own where requests have one. */
  async request(
    id: RequestId,
    method: string,
    params: JsonObject = {},
    envelope: SendOptions = {},
  ): Promise<Lane | undefined> {
    const lane = this.connection.traits.lanes === 'per-request' ? (envelope.lane ?? {}) : envelope.lane;
    const whole = lane === undefined ? envelope : { ...envelope, lane };
    await this.send({ jsonrpc: '2.0', id, method, params }, whole);
    return lane;
  }

  /** Asks for what ends the connection: its send may wait until then, and reject with the end. */
  askForEnd(method: string, params: JsonObject = {}): void {
    void this.request(1, method, params).catch(() => undefined);
  }

  notify(method: string, params: JsonObject = {}): Promise<void> {
    return this.send({ jsonrpc: '2.0', method, params });
  }

  /** The parameters of every notification of that method, in order of arrival. */
  told(method: string): JsonObject[] {
    return this.messages().flatMap((m) =>
      m['method'] === method && !('id' in m) ? [withoutMeta((m['params'] ?? {}) as JsonObject)] : [],
    );
  }

  /** Every answer with that id, in order of arrival. */
  answers(id: RequestId): JsonObject[] {
    return this.messages().filter((m) => !('method' in m) && m['id'] === id);
  }

  /** How this side was told of its end, each time: the code of the cause, or that there was none. */
  ends(): string[] {
    return this.closes.map((cause: unknown) => {
      if (cause === undefined) return inOrder;
      return TransportError.is(cause) ? cause.code : 'no TransportError';
    });
  }

  /** How that lane ended, as this side was told. */
  endsOf(lane: Lane | undefined): (TransportError | undefined)[] {
    return this.lanesClosed.filter((closed) => closed.lane === lane).map(({ error }) => error);
  }

  messages(): JsonObject[] {
    return this.deliveries.map(({ incoming }) => incoming as JsonObject);
  }

  received(incoming: unknown, arrival?: ReceiveInfo): void {
    this.#trace.received(this.side, incoming);
    this.#note('received');
    const method = (incoming as { method?: unknown } | null)?.method;
    const list = this.#openingMethods.has(method) ? this.openings : this.deliveries;
    list.push({ incoming, info: arrival });
    this.onReceived(incoming, arrival);
  }

  laneClosed(lane: Lane, error?: TransportError): void {
    this.#trace.event(this.side, 'laneClosed', error);
    this.#note('laneClosed');
    this.lanesClosed.push({ lane, error });
  }

  fault(error: TransportError): void {
    this.#trace.event(this.side, 'fault', error);
    this.#note('fault');
    this.faults.push(error);
  }

  closed(error?: TransportError): void {
    this.#trace.event(this.side, 'closed', error);
    this.#note('closed');
    this.closes.push(error);
    this.onClosed();
  }

  #note(callback: string): void {
    if (this.closes.length > 0) this.late.push(callback);
    this.#calls.delivered(callback);
  }
}

/** Names the call that tells this side of its end. */
export function closedOn({ side }: ConnectionProbe): string {
  return `closed() on the ${side === 'served' ? 'served' : 'dialling'} side`;
}
