import type { TransportError } from '@rxmcp/transport';
import type { Fault } from '../contract/faults.js';
import type { MethodOffer, NotificationOffer } from '../contract/offer.js';
import type { Meter } from '../contract/stats.js';
import type { ServedConnection, ServedDefinition } from '../eras/served.js';
import type { Guard } from '../interceptors/interceptor-marks.js';
import type { SharedConnectionLimits, ConnectionLimits } from '../peer/limits.js';
import type { Hub } from './hub.js';

/** What all connections of one server share. */
export interface ServerCore extends ServedDefinition {
  /** Of a connection to one peer. */
  readonly limits: ConnectionLimits;
  /** Of a connection that many callers share. */
  readonly crowdLimits: SharedConnectionLimits;
  readonly methods: ReadonlyMap<string, MethodOffer>;
  readonly notifications: ReadonlyMap<string, NotificationOffer>;
  readonly hub: Hub;
  /** Who may watch what; undefined = everybody everything. */
  readonly guard: Guard | undefined;
  /** Who counts what goes on; undefined = nobody. */
  readonly meter: Meter | undefined;
  fault(fault: Fault): void;
  gone(serving: ServedConnection, error: TransportError | undefined): void;
}
