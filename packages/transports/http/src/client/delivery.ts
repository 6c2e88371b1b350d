import { type Lane, type Receiver, type TransportError } from '@rxmcp/transport';
import { handOver, type HeldBytes, reportClosed } from '@rxmcp/transport/internal';
import type { Timing } from './time/timing.js';
import type { Watchdog } from './time/watchdog.js';
import type { Link } from './wire/link.js';

/** Hands over to the receiver: nothing before `start`, nothing after the end, and nothing that it throws gets out. */
export class Delivery {
  /** Resolves once the connection was started, or ended before. */
  readonly started: Promise<void>;
  #begin: () => void = () => undefined;
  #receiver: Receiver | undefined;
  #over: { readonly cause: TransportError | undefined } | undefined;

  constructor() {
    this.started = new Promise((resolve) => {
      this.#begin = resolve;
    });
  }

  get isOver(): boolean {
    return this.#over !== undefined;
  }

  start(receiver: Receiver): void {
    if (this.#receiver !== undefined) throw new TypeError('`start` may be called once');
    this.#receiver = receiver;
    if (this.#over !== undefined) queueMicrotask(() => reportClosed(receiver, this.#over?.cause));
    this.#begin();
  }

  /** `heldBytes` is the memory that the message takes while it is handled. */
  received(value: unknown, lane: Lane | undefined, heldBytes: number): void {
    this.#tell((receiver) => receiver.received(value, lane === undefined ? undefined : { lane }, heldBytes));
  }

  laneClosed(lane: Lane, error: TransportError): void {
    this.#tell((receiver) => receiver.laneClosed(lane, error));
  }

  fault(error: TransportError): void {
    this.#tell((receiver) => receiver.fault(error));
  }

  closed(cause: TransportError | undefined): void {
    if (this.#over !== undefined) return;
    this.#over = { cause };
    this.#begin();
    reportClosed(this.#receiver, cause);
  }

  #tell(event: (receiver: Receiver) => void): void {
    const receiver = this.#receiver;
    if (receiver === undefined || this.#over !== undefined) return;
    handOver(receiver, event);
  }
}

/** What the exchanges and streams of one connection share. */
export interface ClientContext {
  readonly link: Link;
  readonly timing: Timing;
  readonly watchdog: Watchdog;
  readonly delivery: Delivery;
  readonly maxResponseBytes: number;
  /** Creates what a response is charged to while it arrives, or waits to be posted. */
  held(): HeldBytes;
  /** A request is over; without an error it was answered. */
  exchangeOver(lane: Lane, error: TransportError | undefined): void;
  /** The connection is over. */
  end(cause: TransportError): void;
}
