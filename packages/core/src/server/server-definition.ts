import type { MemoryBudget, TransportError } from '@rxmcp/transport';
import type { Fault } from '../contract/faults.js';
import type { MethodOffer, NotificationOffer } from '../contract/offer.js';
import type { Meter } from '../contract/stats.js';
import type { EraConnection, ServedDefinition } from '../eras/served.js';
import type { Guard } from '../interceptors/interceptor-marks.js';
import type { ResponseTurns } from '../peer/response-turns.js';
import type { Exchange } from '../peer/exchange.js';
import type { SharedConnectionLimits, ConnectionLimits } from '../peer/limits.js';
import { unknownMethod } from '../stats/counting.js';
import type { Hub } from './hub.js';

/** What all connections of one server share. */
export interface ServerCore extends ServedDefinition {
  /** The limits of a connection to one peer. */
  readonly limits: ConnectionLimits;
  /** The limits of a connection that many callers share. */
  readonly sharedLimits: SharedConnectionLimits;
  readonly methods: ReadonlyMap<string, MethodOffer>;
  readonly notifications: ReadonlyMap<string, NotificationOffer>;
  readonly hub: Hub;
  /** Which resources each caller may watch; undefined if there is no restriction. */
  readonly guard: Guard | undefined;
  /** What all connections together may hold. */
  readonly memory: MemoryBudget;
  readonly turns: ResponseTurns;
  /** Counts requests; undefined without `stats`. */
  readonly meter: Meter | undefined;
  fault(fault: Fault): void;
  /** Returns the text of a handler's error for its caller; undefined if callers read a general text. */
  readonly exposeErrors: ((error: unknown) => string) | undefined;
  connectionClosed(connection: EraConnection, error: TransportError | undefined): void;
}

/** Counts a request, if the server has `stats`. */
export function measure({ core }: { readonly core: ServerCore }, exchange: Exchange): void {
  const { meter, methods } = core;
  if (meter === undefined) return;
  const { method, params, caller } = exchange;
  exchange.measured = meter.begin(methods.has(method) ? method : unknownMethod, params, caller.principal);
}
