import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Implementation } from '../context.js';
import type { Versions } from '../eras/versions.js';
import type { Sealer } from '../eras/modern/seal.js';
import type { Fault } from '../faults.js';
import type { Guard } from '../interceptors/guard.js';
import type { MethodOffer, NotificationOffer } from '../offer.js';
import type { Meter } from '../stats/stats.js';
import type { TransportError } from '@rxmcp/transport';
import type { Hub } from './hub.js';
import type { Serving } from './serving.js';

/**
 * Limits of one connection; one that many callers share, such as an HTTP endpoint without sessions, has 16 times the
 * defaults for what it serves, unless told otherwise. Each refusal is a typed, retryable error. */
export interface Limits {
  /** Requests running at a time. @default 256 */
  readonly maxRunning: number;
  /** Requests waiting for a place. @default 1024 */
  readonly maxQueued: number;
  /** Requests of ours in flight. @default 1024 */
  readonly maxCallsInFlight: number;
  /** Open subscriptions. @default 64 */
  readonly maxListens: number;
  /** Resources watched, by all subscriptions together, a uri counted once. @default 1024 */
  readonly maxWatches: number;
}

/** The limits of a connection to one peer, unless told otherwise. */
export const defaultLimits: Limits = {
  maxRunning: 256,
  maxQueued: 1_024,
  maxCallsInFlight: 1_024,
  maxListens: 64,
  maxWatches: 1_024,
};

/** The limits of a connection that many callers share, unless told otherwise. */
export const crowdLimits: Limits = {
  maxRunning: 4_096,
  maxQueued: 16_384,
  maxCallsInFlight: 1_024,
  maxListens: 1_024,
  maxWatches: 16_384,
};

/** What all connections of one server share. */
export interface ServerCore {
  readonly info: Implementation;
  /** How results of the modern era name this server. */
  readonly signature: JsonObject;
  readonly instructions: string | undefined;
  /** How long the modern era's greeting may be kept, and for whom. */
  readonly greetingHint: JsonObject;
  readonly versions: Versions;
  /** Of a connection to one peer. */
  readonly limits: Limits;
  /** Of a connection that many callers share. */
  readonly crowdLimits: Limits;
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
