import type { JsonObject } from '@rxmcp/jsonrpc';
import type { TransportError } from '@rxmcp/transport';
import type { Implementation } from '../contract/context.js';
import type { Fault } from '../contract/faults.js';
import type { MethodOffer, NotificationOffer, Prepared } from '../contract/offer.js';
import type { Meter } from '../contract/stats.js';
import type { Sealer } from '../eras/modern/seal.js';
import type { Versions } from '../eras/versions.js';
import type { Guard } from '../interceptors/interceptor-marks.js';
import type { CrowdLimits, Limits } from '../peer/limits.js';
import type { Hub } from './hub.js';
import type { Serving } from './server-connection.js';

/** What all connections of one server share. */
export interface ServerCore {
  readonly info: Implementation;
  /** How results of the modern era name this server. */
  readonly signature: JsonObject;
  /** The texts of prepared results that name it: servers may share what they offer, but not these. */
  readonly signed: WeakMap<Prepared, string>;
  readonly instructions: string | undefined;
  /** How long the modern era's greeting may be kept, and for whom. */
  readonly greetingHint: JsonObject;
  readonly versions: Versions;
  /** Of a connection to one peer. */
  readonly limits: Limits;
  /** Of a connection that many callers share. */
  readonly crowdLimits: CrowdLimits;
  readonly capabilities: JsonObject;
  readonly methods: ReadonlyMap<string, MethodOffer>;
  readonly notifications: ReadonlyMap<string, NotificationOffer>;
  readonly hub: Hub;
  /** Who may watch what; undefined = everybody everything. */
  readonly guard: Guard | undefined;
  readonly sealer: Sealer;
  /** Who counts what goes on; undefined = nobody. */
  readonly meter: Meter | undefined;
  fault(fault: Fault): void;
  /** What is known of a connection changed. */
  changed(): void;
  gone(serving: Serving, error: TransportError | undefined): void;
}
