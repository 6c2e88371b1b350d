import type { Id, JsonObject } from '@rxmcp/jsonrpc';
import type {
  Arrival,
  Connection,
  Envelope,
  Lane,
  Outgoing,
  Receiver,
  TransportError,
} from '@rxmcp/transport';
import type { Side, Trace } from './trace.js';
import { assert } from './verdict.js';
import type { Waits } from './waits.js';

/** One thing that `received` was called with. */
export interface Delivery {
  readonly incoming: unknown;
  readonly arrival: Arrival | undefined;
}

/** A connection with everything that happened on it; the laws look at these lists. */
export class End implements Receiver {
  readonly deliveries: Delivery[] = [];
  readonly faults: TransportError[] = [];
  readonly lanesClosed: Lane[] = [];
  /** One entry per call of `closed`. */
  readonly closes: (TransportError | undefined)[] = [];
  /** What was called after `closed`. */
  readonly late: string[] = [];
  onReceived: (incoming: unknown, arrival: Arrival | undefined) => void = () => undefined;
  onClosed: () => void = () => undefined;

  readonly connection: Connection;
  readonly #side: Side;
  readonly #trace: Trace;
  readonly #calls: Calls;
  readonly #waits: Waits;

  constructor(connection: Connection, side: Side, trace: Trace, calls: Calls, waits: Waits) {
    this.connection = connection;
    this.#side = side;
    this.#trace = trace;
    this.#calls = calls;
    this.#waits = waits;
  }

  start(): void {
    this.#calls.during('start', () => this.connection.start(this));
  }

  send(out: Outgoing, envelope?: Envelope): Promise<void> {
    this.#trace.sent(this.#side, out);
    const sent: unknown = this.#calls.during('send', () => this.connection.send(out, envelope));
    const thenable = typeof (sent as Promise<void> | undefined)?.then === 'function';
    assert(thenable, `send() returned ${String(sent)}, which is no promise`);
    this.#waits.send(sent as Promise<void>);
    return sent as Promise<void>;
  }

  /** Sends a request, in a lane of its own where requests have one. */
  async ask(
    id: Id,
    method: string,
    params: JsonObject = {},
    envelope: Envelope = {},
  ): Promise<Lane | undefined> {
    const lane = this.connection.traits.lanes === 'per-request' ? (envelope.lane ?? {}) : envelope.lane;
    const whole = lane === undefined ? envelope : { ...envelope, lane };
    await this.send({ jsonrpc: '2.0', id, method, params }, whole);
    return lane;
  }

  tell(method: string, params: JsonObject = {}): Promise<void> {
    return this.send({ jsonrpc: '2.0', method, params });
  }

  /** The parameters of every notification of that method, in order of arrival. */
  told(method: string): JsonObject[] {
    return this.messages().flatMap((m) =>
      m['method'] === method && !('id' in m) ? [m['params'] as JsonObject] : [],
    );
  }

  /** Every answer with that id, in order of arrival. */
  answers(id: Id): JsonObject[] {
    return this.messages().filter((m) => !('method' in m) && m['id'] === id);
  }

  messages(): JsonObject[] {
    return this.deliveries.map(({ incoming }) => incoming as JsonObject);
  }

  received(incoming: unknown, arrival?: Arrival): void {
    this.#trace.received(this.#side, incoming);
    this.#note('received');
    this.deliveries.push({ incoming, arrival });
    this.onReceived(incoming, arrival);
  }

  laneClosed(lane: Lane, error?: TransportError): void {
    this.#trace.event(this.#side, 'laneClosed', error);
    this.#note('laneClosed');
    this.lanesClosed.push(lane);
  }

  fault(error: TransportError): void {
    this.#trace.event(this.#side, 'fault', error);
    this.#note('fault');
    this.faults.push(error);
  }

  closed(error?: TransportError): void {
    this.#trace.event(this.#side, 'closed', error);
    this.#note('closed');
    this.closes.push(error);
    this.onClosed();
  }

  #note(callback: string): void {
    if (this.closes.length > 0) this.late.push(callback);
    this.#calls.delivered(callback);
  }
}

/** Watches for deliveries that happen while a call into the transport has not returned yet. */
export class Calls {
  /** Entries such as `received inside send`. */
  readonly inside: string[] = [];
  #running: string | undefined;

  during<T>(name: string, call: () => T): T {
    const outer = this.#running;
    this.#running = name;
    try {
      return call();
    } finally {
      this.#running = outer;
    }
  }

  delivered(callback: string): void {
    if (this.#running !== undefined) this.inside.push(`${callback} inside ${this.#running}`);
  }
}
