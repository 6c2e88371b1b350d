import type { JsonObject } from '@rxmcp/jsonrpc';
import { rejectRenamedOptions } from '@rxmcp/transport/internal';
import type { ConnectionHandler, Connection, ServedConnection, TransportError } from '@rxmcp/transport';
import type { Observable } from 'rxjs';
import type { Implementation } from '../contract/context.js';
import type { Fault } from '../contract/faults.js';
import { tearDown } from '../contract/faults.js';
import type { Interceptor } from '../contract/interceptor.js';
import type { Offer } from '../contract/offer.js';
import type { Alert, Health, Meter, MeterFactory, ServerStats } from '../contract/stats.js';
import { signatureOf } from '../eras/modern/codec.js';
import type { StateKey } from '../eras/modern/seal.js';
import { sealer } from '../eras/modern/seal.js';
import type { EraId } from '../eras/versions.js';
import { versionsOf } from '../eras/versions.js';
import { intercept } from '../interceptors/intercept.js';
import { guardOf, rejectInterceptorsOf } from '../interceptors/interceptor-marks.js';
import { collectOffers } from '../offers/capabilities.js';
import type { ServerLimits } from '../peer/limits.js';
import { crowdLimitsOf, limitsOf, renamedLimits } from '../peer/limits.js';
import { eventLoopHealth, emptyMeterStats } from '../stats/counting.js';
import { FaultLog } from '../streams/fault-log.js';
import { hot, view } from '../streams/hot.js';
import { sampled } from '../streams/status.js';
import type { CacheHints } from './cache-hints.js';
import { greetingHint, hinted } from './cache-hints.js';
import { Hub } from './hub.js';
import { ListViews } from './list-views.js';
import { Serving } from './server-connection.js';
import type { ServerCore } from './server-definition.js';

/** What a server is. */
export interface ServerOptions {
  readonly info: Implementation;
  /** What clients may use. Capabilities follow from it. */
  readonly offers: readonly Offer[];
  /** How to use this server, for the model. */
  readonly instructions?: string;
  /** @default both */
  readonly eras?: readonly EraId[];
  /** Pins protocol revisions. @default every published one */
  readonly versions?: readonly string[];
  readonly limits?: ServerLimits;
  /** Keys that seal the state of asks; servers that share them can continue each other's. @default one per process */
  readonly stateKeys?: readonly StateKey[];
  /** Longest sealed state, in bytes. @default 262_144 */
  readonly maxStateBytes?: number;
  readonly experimental?: JsonObject;
  readonly extensions?: JsonObject;
  /**
   * What stands around every request for an offered method, one's own included, the first outermost. Openings, pings and
   * subscriptions are no such requests. @default none
   */
  readonly interceptors?: readonly Interceptor[];
  /** How long clients may keep the results of a method. @default not at all */
  readonly cacheHints?: CacheHints;
  /** Counts the requests for offered methods: `meter()`. @default nobody does */
  readonly stats?: MeterFactory;
}

/** One open connection of a server. */
export interface ConnectionInfo {
  /** Counts up within the server. */
  readonly id: number;
  readonly principal: string | undefined;
  /** Set where a handshake told it. */
  readonly client: Implementation | undefined;
  readonly version: string | undefined;
  /** Open subscriptions. */
  readonly subscriptions: number;
}

/** A description of a server: an acceptor for every transport's `serve`. */
export interface Server extends ConnectionHandler {
  readonly info: Implementation;
  /** @stream status */
  readonly connections$: Observable<readonly ConnectionInfo[]>;
  /** @stream event, replays the last 16 */
  readonly faults$: Observable<Fault>;
  /** The figures of the moment, again each second; those of calls are there where the server has `stats`. @stream status */
  readonly stats$: Observable<ServerStats>;
  /** What is slow or unusual, where the server has `stats`. @stream event */
  readonly alerts$: Observable<Alert>;
  /** Whether requests can be served, and if not, why. */
  health(): Health;
}

/**
 * Describes a server. Throws a TypeError for offers that are none or collide, unknown revisions, wrong hints and interceptors of
 * a client.
 */
export function defineServer(options: ServerOptions): Server {
  const { limits } = options;
  for (const given of [limits, limits?.perPrincipal, limits?.anonymous])
    rejectRenamedOptions('defineServer limits', given, renamedLimits);
  const { info, experimental, extensions } = options;
  const extra = {
    ...(experimental === undefined ? {} : { experimental }),
    ...(extensions === undefined ? {} : { extensions }),
  };
  const gathered = collectOffers(options.offers, 'server', extra);
  const faults = new FaultLog(`server "${info.name}"`);
  const open = new Map<Serving, number>();
  // Read when somebody looks: describing thousands on every change would cost more than serving them.
  const connections = view<readonly ConnectionInfo[]>(() =>
    [...open].map(([serving, number]) => describe(serving, number)),
  );
  let count = 0;
  let stops: (() => void)[] = [];

  const { interceptors = [] } = options;
  rejectInterceptorsOf('client', 'the interceptors of a server', interceptors);
  const alerts = hot<Alert>();
  const meter = options.stats?.(alerts.emit);
  const guard = guardOf(interceptors);
  const hub = new Hub(
    gathered.offers,
    guard === undefined ? undefined : new ListViews(gathered.methods, guard),
    (fault) => faults.add(fault),
  );
  const core: ServerCore = {
    ...gathered,
    methods: intercept(hinted(gathered.methods, options.cacheHints), interceptors, hub),
    info,
    signature: signatureOf(info),
    signed: new WeakMap(),
    instructions: options.instructions,
    greetingHint: greetingHint(options.cacheHints),
    versions: versionsOf(options.eras, options.versions),
    limits: limitsOf(limits ?? {}),
    crowdLimits: crowdLimitsOf(limits ?? {}),
    hub,
    guard,
    meter,
    sealer: sealer(options.stateKeys, options.maxStateBytes ?? 262_144),
    fault: (fault) => faults.add(fault),
    changed: connections.changed,
    gone(serving: Serving, error: TransportError | undefined) {
      if (error !== undefined) faults.add({ code: error.code, message: error.message, cause: error });
      open.delete(serving);
      if (open.size === 0) {
        for (const stop of stops.splice(0)) tearDown(stop, 'what was offered', core);
        meter?.stop();
      }
      connections.changed();
    },
  };

  return {
    info,
    connections$: connections.stream,
    faults$: faults.stream,
    stats$: sampled(() => serverStats(meter, open.keys())),
    alerts$: alerts.stream,
    health: () => serverHealth(meter, open.keys()),
    accept(connection: Connection): ServedConnection {
      if (open.size === 0) {
        const host = { changed: hub.changed.bind(hub), fault: core.fault };
        meter?.start();
        stops = gathered.offers.flatMap((offer) => offer.start?.(host) ?? []);
      }
      const serving = new Serving(core, connection);
      open.set(serving, ++count);
      connections.changed();
      return serving;
    },
  };
}

function describe(serving: Serving, number: number): ConnectionInfo {
  const { legacy, subscriptions, traits } = serving;
  return {
    id: number,
    principal: traits.principal,
    client: legacy?.caller.info,
    version: legacy?.version,
    subscriptions,
  };
}

/** The figures of a server. */
export function serverStats(meter: Meter | undefined, servings: Iterable<Serving>): ServerStats {
  const sums = { connections: 0, inFlight: 0, queued: 0, subscriptions: 0, resourceSubscriptions: 0 };
  for (const serving of servings) {
    sums.connections += 1;
    sums.inFlight += serving.inFlight.size;
    sums.queued += serving.admission.queued;
    sums.subscriptions += serving.subscriptions;
    sums.resourceSubscriptions += serving.watches.size;
  }
  return { ...(meter?.counted() ?? emptyMeterStats), ...sums };
}

/** Whether a server can serve. One peer that asks for too much by itself does not make it ill. */
export function serverHealth(meter: Meter | undefined, servings: Iterable<Serving>): Health {
  for (const { draining, traits, admission, limits } of servings) {
    if (draining) return { healthy: false, reason: 'the server is draining' };
    if (traits.idScope === 'lane' && admission.queued > limits.maxQueuedRequests / 2) {
      return { healthy: false, reason: `${admission.queued} requests wait for a place` };
    }
  }
  return eventLoopHealth(meter?.counted().eventLoopDelayMs ?? 0) ?? { healthy: true };
}
