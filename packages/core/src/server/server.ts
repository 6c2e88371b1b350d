import { rejectUnknownOptions, omitUndefined } from '@rxmcp/transport/internal';
import type { JsonObject } from '@rxmcp/jsonrpc';
import {
  type Connection,
  type ConnectionHandler,
  type MemoryBudget,
  processMemory,
  type ServedConnection,
  type TransportError,
} from '@rxmcp/transport';
import type { Observable } from 'rxjs';
import type { Implementation } from '../contract/context.js';
import type { Fault } from '../contract/faults.js';
import { tearDown, thrownText } from '../contract/faults.js';
import type { Interceptor } from '../contract/interceptor.js';
import type { Offer, OfferedItem, provides } from '../contract/offer.js';
import type { Alert, Health, Meter, MeterFactory, ServerStats } from '../contract/stats.js';
import { signatureOf } from '../eras/modern/codec.js';
import type { RequestStateKey } from '../eras/modern/seal.js';
import { sealer } from '../eras/modern/seal.js';
import type { EraId } from '../eras/versions.js';
import { versionsOf } from '../eras/versions.js';
import { ResponseTurns } from '../peer/response-turns.js';
import { intercept } from '../interceptors/intercept.js';
import { guardOf, rejectInterceptorsOf } from '../interceptors/interceptor-marks.js';
import { collectOffers } from '../offers/capabilities.js';
import { mergeOffers } from '../offers/merge-offers.js';
import type { ServerLimits } from '../peer/limits.js';
import { defaultLimits, limitsOf, sharedLimitsOf } from '../peer/limits.js';
import { eventLoopHealth, emptyMeterStats } from '../stats/counting.js';
import { isUnderPressure } from '../stats/memory-pressure.js';
import { FaultLog } from '../streams/fault-log.js';
import { hot, view } from '../streams/hot.js';
import { sampled } from '../streams/status.js';
import type { CacheHints } from './cache-hints.js';
import { greetingHint, hinted } from './cache-hints.js';
import { describeFault } from './failed-handlers.js';
import { Hub } from './hub.js';
import { ListViews } from './list-views.js';
import { ServerConnection } from './server-connection.js';
import type { ServerCore } from './server-definition.js';

/** Configures {@link defineServer}. */
export interface ServerOptions<O extends Offer = Offer> {
  /** The name and version that clients receive. */
  readonly info: Implementation;
  /** What clients may use: tools, resources, prompts, custom methods. The capabilities follow from it. */
  readonly offers: readonly O[];
  /** Instructions for the model about how to use this server. */
  readonly instructions?: string;
  /** The eras that the server supports. @default both */
  readonly eras?: readonly EraId[];
  /** The protocol revisions that the server supports. @default every published one */
  readonly versions?: readonly string[];
  /** Limits of each connection. */
  readonly limits?: ServerLimits;
  /**
   * Keys that encrypt `requestState`, the state of asks. Servers that share keys can continue each other's requests.
   * @default one per process
   */
  readonly requestStateKeys?: readonly RequestStateKey[];
  /** Longest `requestState`, in bytes. @default 262_144 */
  readonly maxRequestStateBytes?: number;
  /** Custom capabilities that are declared under `experimental`. @default none */
  readonly experimental?: JsonObject;
  /** Capabilities of protocol extensions, by the identifier of the extension. @default none */
  readonly extensions?: JsonObject;
  /**
   * Interceptors around every request for an offered method, custom methods included; the first is outermost.
   * Handshakes, pings and subscriptions do not pass through interceptors. @default none
   */
  readonly interceptors?: readonly Interceptor[];
  /** How long clients may cache the results of a method. @default not at all */
  readonly cacheHints?: CacheHints;
  /** The memory that everything kept for clients may take, and the share of each caller in it. @default that of the process, a quarter of the heap */
  readonly memory?: MemoryBudget;
  /** Counts the requests for offered methods; pass `meter()`. @default off */
  readonly stats?: MeterFactory;
  /**
   * Whether clients read the message of an error that a handler throws, or what a function returns for the error. Messages may hold
   * private details; `RpcError` and `ToolError` are for clients in any case. @default false: a general text with a reference number
   */
  readonly exposeErrors?: boolean | ((error: unknown) => string);
}

/** The names of {@link ServerOptions}. */
export const serverOptionNames: Record<keyof ServerOptions, true> = {
  info: true,
  offers: true,
  instructions: true,
  eras: true,
  versions: true,
  limits: true,
  requestStateKeys: true,
  maxRequestStateBytes: true,
  experimental: true,
  extensions: true,
  interceptors: true,
  cacheHints: true,
  memory: true,
  stats: true,
  exposeErrors: true,
};

/** Describes an open connection of a server. */
export interface ConnectionInfo {
  /** A number that increases within the server. */
  readonly id: number;
  /** The authenticated caller, where the connection belongs to one. */
  readonly principal: string | undefined;
  /** The client of a legacy handshake; undefined without one. */
  readonly client: Implementation | undefined;
  /** The revision that the handshake negotiated; undefined without a handshake. */
  readonly version: string | undefined;
  /** The number of open subscriptions. */
  readonly subscriptions: number;
}

/**
 * Serves clients. Pass it to `serve` of any number of transports. `Item` is the type of what it offers, for
 * `tools<typeof server>(remote)`.
 */
export interface Server<Item = unknown> extends ConnectionHandler {
  readonly [provides]?: Item;
  /** The name and version of the options. */
  readonly info: Implementation;
  /** The memory that everything kept for clients may take: the option `memory`. Transports charge it too. */
  readonly memory: MemoryBudget;
  /** Emits the open connections, at most once per tick. @stream status */
  readonly connections$: Observable<readonly ConnectionInfo[]>;
  /** Emits what went wrong and ended nothing. @stream event, replays the last 16 */
  readonly faults$: Observable<Fault>;
  /** Emits the current statistics at once and then each second. Those of calls need `stats`. @stream status */
  readonly stats$: Observable<ServerStats>;
  /** Emits slow calls, unusual rates and memory pressure, if the server has `stats`. @stream event */
  readonly alerts$: Observable<Alert>;
  /** Returns whether requests can be served, and if not, why. */
  health(): Health;
}

/**
 * Creates a server from its options.
 * @throws TypeError for values that are not offers, offers that collide, unknown revisions, invalid hints and
 * interceptors that only clients can use
 * @example
 * const greet = tool('greet', { input: z.object({ name: z.string() }) }, ({ name }) => `Hello, ${name}!`);
 * const hello = defineServer({ info: { name: 'hello', version: '1.0.0' }, offers: [offerTools([greet])] });
 * await serveHttp(hello, { port: 8080 });
 */
export function defineServer<O extends Offer>(options: ServerOptions<O>): Server<OfferedItem<O>> {
  checkInfo(options);
  rejectUnknownOptions('defineServer', options, serverOptionNames, {
    tools: 'offers',
    resources: 'offers',
    prompts: 'offers',
    capabilities: 'offers',
    stateKeys: 'requestStateKeys',
  });
  const { info, experimental, extensions, limits } = options;
  const { maxCallsInFlight: _ours, ...capacity } = defaultLimits;
  const knownLimits = { ...defaultLimits, perCaller: true, allAnonymous: true };
  rejectUnknownOptions('defineServer limits', limits, knownLimits, {
    perPrincipal: 'perCaller',
    anonymous: 'allAnonymous',
  });
  for (const given of [limits?.perCaller, limits?.allAnonymous])
    rejectUnknownOptions('defineServer limits', given, capacity);
  const extra = omitUndefined({ experimental, extensions });
  const gathered = collectOffers(mergeOffers(options.offers), 'server', extra);
  const faults = new FaultLog(`server "${info.name}"`, describeFault);
  const open = new Map<ServerConnection, number>();
  // Read on demand: describing thousands of connections on every change would cost more than serving them.
  const connections = view<readonly ConnectionInfo[]>(() =>
    [...open].map(([connection, number]) => describe(connection, number)),
  );
  let count = 0;
  let stops: (() => void)[] = [];

  const { interceptors = [], exposeErrors = false, memory = processMemory() } = options;
  rejectInterceptorsOf('client', 'the interceptors of a server', interceptors);
  const alerts = hot<Alert>();
  const meter = options.stats?.(alerts.emit, memory);
  const guard = guardOf(interceptors);
  const hub = new Hub(
    gathered.offers,
    memory,
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
    limits: limitsOf(options.limits ?? {}),
    sharedLimits: sharedLimitsOf(options.limits ?? {}),
    hub,
    guard,
    meter,
    memory,
    turns: new ResponseTurns(),
    sealer: sealer(options.requestStateKeys, options.maxRequestStateBytes ?? 262_144),
    fault: (fault) => faults.add(fault),
    exposeErrors: typeof exposeErrors === 'function' ? exposeErrors : exposeErrors ? thrownText : undefined,
    changed: connections.changed,
    connectionClosed(connection: ServerConnection, error: TransportError | undefined) {
      if (error !== undefined) faults.add({ code: error.code, message: error.message, cause: error });
      open.delete(connection);
      if (open.size === 0) {
        for (const stop of stops.splice(0)) tearDown(stop, 'an offer', core);
        meter?.stop();
      }
      connections.changed();
    },
  };

  return {
    info,
    memory,
    connections$: connections.stream,
    faults$: faults.stream,
    stats$: sampled(() => serverStats(meter, memory, open.keys())),
    alerts$: alerts.stream,
    health: () => serverHealth(meter, memory, open.keys()),
    accept(connection: Connection): ServedConnection {
      if (open.size === 0) {
        const host = { changed: hub.changed.bind(hub), fault: core.fault };
        meter?.start();
        stops = gathered.offers.flatMap((offer) => offer.start?.(host) ?? []);
      }
      const accepted = new ServerConnection(core, connection);
      open.set(accepted, ++count);
      connections.changed();
      return accepted;
    },
  };
}

function checkInfo(options: unknown): void {
  const info = (options as { info?: { name?: unknown; version?: unknown } } | null | undefined)?.info;
  if (typeof info?.name !== 'string' || typeof info.version !== 'string')
    throw new TypeError(
      `defineServer needs "info": { info: { name: 'my-app', version: '1.0.0' }, offers: [...] }`,
    );
}

function describe(connection: ServerConnection, number: number): ConnectionInfo {
  const { legacy, subscriptions, traits } = connection;
  return {
    id: number,
    principal: traits.principal,
    client: legacy?.caller.info,
    version: legacy?.version,
    subscriptions,
  };
}

/** Returns the statistics of a server. */
function serverStats(
  meter: Meter | undefined,
  memory: MemoryBudget,
  connections: Iterable<ServerConnection>,
): ServerStats {
  const sums = { connections: 0, inFlight: 0, queued: 0, subscriptions: 0, resourceSubscriptions: 0 };
  for (const connection of connections) {
    sums.connections += 1;
    sums.inFlight += connection.inFlight.size;
    sums.queued += connection.admission.queued;
    sums.subscriptions += connection.subscriptions;
    sums.resourceSubscriptions += connection.watches.size;
  }
  return { ...(meter?.counted() ?? emptyMeterStats), ...sums, memory: memory.stats() };
}

/** Returns whether a server can serve requests. One peer that exceeds its own limits does not make the server unhealthy. */
function serverHealth(
  meter: Meter | undefined,
  memory: MemoryBudget,
  connections: Iterable<ServerConnection>,
): Health {
  for (const { draining, traits, admission, limits } of connections) {
    if (draining) return { healthy: false, reason: 'the server is draining' };
    if (traits.idScope === 'lane' && admission.queued > limits.maxQueuedRequests / 2) {
      return { healthy: false, reason: `${admission.queued} requests wait for a place` };
    }
  }
  if (isUnderPressure(memory))
    return { healthy: false, reason: `${memory.heldBytes} of ${memory.maxBytes} bytes of memory are held` };
  return eventLoopHealth(meter?.counted().eventLoopDelayMs ?? 0) ?? { healthy: true };
}
