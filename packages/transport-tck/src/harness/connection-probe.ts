import { type RequestId, type JsonObject, type JsonRpcMessage, EncodedMessage } from '@rxmcp/jsonrpc';
import type { ReceiveInfo, Connection, SendOptions, Lane, OutgoingMessage, Receiver } from '@rxmcp/transport';
import { TransportError } from '@rxmcp/transport';
import { withoutMeta } from '../peer/exchange.js';
import { assert } from '../base/assert.js';
import type { CallTracker } from '../base/call-tracker.js';
import type { OutgoingFrame } from '../fixture/fixture.js';
import type { Side, Trace } from '../base/trace.js';
import type { PendingWaits } from '../base/pending-waits.js';

/** One thing that `received` was called with. */
export interface Delivery {
  readonly incoming: unknown;
  readonly info: ReceiveInfo | undefined;
}

/** Adds to a message what the fixture requires. */
export type Prepare = (message: JsonRpcMessage, options: SendOptions) => OutgoingFrame;

/** What all probes of one rule share. */
export interface ConnectionProbeOptions {
  readonly side: Side;
  readonly trace: Trace;
  readonly calls: CallTracker;
  readonly waits: PendingWaits;
  readonly prepare?: Prepare;
  /** The methods with which the fixture opens sessions. */
  readonly openingMethods: ReadonlySet<unknown>;
}

/** How messages name an end without a cause. */
export const inOrder = 'in order';

const unprepared: Prepare = (message, options) => ({ message, options });

/** A connection that records everything that happens on it; the rules check these lists. */
export class ConnectionProbe implements Receiver {
  readonly deliveries: Delivery[] = [];
  /** The messages that opened the session, which are not in `deliveries`. */
  readonly openings: Delivery[] = [];
  readonly faults: TransportError[] = [];
  readonly lanesClosed: { readonly lane: Lane; readonly error: TransportError | undefined }[] = [];
  /** One entry per call of `closed`. */
  readonly closes: (TransportError | undefined)[] = [];
  /** The callbacks that were called after `closed`. */
  readonly late: string[] = [];
  onReceived: (incoming: unknown, info: ReceiveInfo | undefined) => void = () => undefined;
  onClosed: () => void = () => undefined;

  readonly connection: Connection;
  readonly side: Side;
  readonly #trace: Trace;
  readonly #calls: CallTracker;
  readonly #waits: PendingWaits;
  readonly #prepare: Prepare;
  readonly #openingMethods: ReadonlySet<unknown>;
  #asked = 0;

  constructor(connection: Connection, { prepare = unprepared, ...shared }: ConnectionProbeOptions) {
    this.connection = connection;
    this.side = shared.side;
    this.#trace = shared.trace;
    this.#calls = shared.calls;
    this.#waits = shared.waits;
    this.#openingMethods = shared.openingMethods;
    this.#prepare = prepare;
  }

  start(): void {
    this.#calls.during('start', () => this.connection.start(this));
  }

  /** Sends a message with what the fixture adds to it. An encoded message is sent unchanged. */
  send(out: OutgoingMessage, options: SendOptions = {}): Promise<void> {
    const message = out instanceof EncodedMessage ? (out.message as JsonRpcMessage) : out;
    const prepared = this.#prepare(message, options);
    return this.sendBare(out instanceof EncodedMessage ? out : prepared.message, prepared.options);
  }

  /** Sends a message as it is. */
  sendBare(out: OutgoingMessage, options: SendOptions): Promise<void> {
    this.#trace.sent(this.side, out);
    const sent: unknown = this.#calls.during('send', () => this.connection.send(out, options));
    const thenable = typeof (sent as Promise<void> | undefined)?.then === 'function';
    assert(thenable, `send() returned ${String(sent)}, which is not a promise`);
    this.#waits.send(sent as Promise<void>);
    (sent as Promise<void>).then(undefined, (error: unknown) => this.#trace.rejected(this.side, error));
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
    options: SendOptions = {},
  ): Promise<Lane | undefined> {
    const lane = this.connection.traits.lanes === 'per-request' ? (options.lane ?? {}) : options.lane;
    const whole = lane === undefined ? options : { ...options, lane };
    await this.send({ jsonrpc: '2.0', id, method, params }, whole);
    return lane;
  }

  /** Sends a request that ends the connection: its send may wait until then, and reject. */
  askForEnd(method: string, params: JsonObject = {}): void {
    void this.request(1, method, params).catch(() => undefined);
  }

  notify(method: string, params: JsonObject = {}, lane?: Lane): Promise<void> {
    return this.send({ jsonrpc: '2.0', method, params }, lane && { lane });
  }

  /** The parameters of every notification of that method, in order of arrival. */
  notifications(method: string): JsonObject[] {
    return this.messages().flatMap((m) =>
      m['method'] === method && !('id' in m) ? [withoutMeta((m['params'] ?? {}) as JsonObject)] : [],
    );
  }

  /** Every response with that id, in order of arrival. */
  responses(id: RequestId): JsonObject[] {
    return this.messages().filter((m) => !('method' in m) && m['id'] === id);
  }

  /** The ends that were reported to this side: each time the code of the cause, or `inOrder`. */
  ends(): string[] {
    return this.closes.map((cause: unknown) => {
      if (cause === undefined) return inOrder;
      return TransportError.is(cause) ? cause.code : 'no TransportError';
    });
  }

  /** The ends of this lane that were reported to this side. */
  endsOf(lane: Lane | undefined): (TransportError | undefined)[] {
    return this.lanesClosed.filter((closed) => closed.lane === lane).map(({ error }) => error);
  }

  messages(): JsonObject[] {
    return this.deliveries.map(({ incoming }) => incoming as JsonObject);
  }

  received(incoming: unknown, info?: ReceiveInfo): void {
    this.#trace.received(this.side, incoming);
    this.#note('received');
    const method = (incoming as { method?: unknown } | null)?.method;
    const list = this.#openingMethods.has(method) ? this.openings : this.deliveries;
    list.push({ incoming, info: info });
    this.onReceived(incoming, info);
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

/** Names the call that reports the end to this side. */
export function closedOn({ side }: ConnectionProbe): string {
  return `closed() on the ${side === 'served' ? 'served' : 'dialling'} side`;
}
