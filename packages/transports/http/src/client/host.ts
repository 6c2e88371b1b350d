import type { Lane, TransportError } from '@rxmcp/transport';
import type { Delivery } from './delivery.js';
import type { Link } from './wire/link.js';
import type { Timing } from './time/timing.js';
import type { Watchdog } from './time/watchdog.js';

/** What the exchanges and streams of one connection share. */
export interface Host {
  readonly link: Link;
  readonly timing: Timing;
  readonly watchdog: Watchdog;
  readonly delivery: Delivery;
  readonly maxAnswerBytes: number;
  /** A request is over; without an error it was answered. */
  exchangeOver(lane: Lane, error: TransportError | undefined): void;
  /** The connection is over. */
  end(cause: TransportError): void;
}
