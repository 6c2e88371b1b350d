import type { JsonObject } from '@rxmcp/jsonrpc';
import { rejectUnknownOptions, omitUndefined } from '@rxmcp/transport/internal';
import type { Transport } from '@rxmcp/transport';
import type { Observable } from 'rxjs';
import { estimateBytes } from '../base/json-size.js';
import type { Implementation } from '../contract/context.js';
import type { Fault } from '../contract/faults.js';
import type { Interceptor } from '../contract/interceptor.js';
import type { Offer } from '../contract/offer.js';
import type { Remote } from '../contract/remote.js';
import type { MeterFactory } from '../contract/stats.js';
import type { EraId } from '../eras/versions.js';
import { versionsOf } from '../eras/versions.js';
import { rejectInterceptorsOf } from '../interceptors/interceptor-marks.js';
import { collectOffers } from '../offers/capabilities.js';
import type { ConnectionLimits } from '../peer/limits.js';
import { defaultLimits } from '../peer/limits.js';
import { FaultLog } from '../streams/fault-log.js';
import { scoped } from '../streams/scoped.js';
import type { Answers } from './asks/answers.js';
import type { ClientCore } from './client-definition.js';
import { forModern } from './client-definition.js';
import { openSession } from './sessions/open-session.js';
import { RemoteCore } from './remote-core.js';
import { remoteOf } from './remote.js';
import type { SessionOwner } from './sessions/session.js';

/** Configures {@link defineClient}. */
export interface ClientOptions {
  /** The name and version that servers receive. */
  readonly info: Implementation;
  /** What servers may use: sampling, roots, elicitation, custom methods. @default none */
  readonly offers?: readonly Offer[];
  /** The eras that the client supports. It tries the modern one first. @default both */
  readonly eras?: readonly EraId[];
  /** The protocol revisions that the client supports. @default every published one */
  readonly versions?: readonly string[];
  /** Longest time of a call without progress, in milliseconds. Log records do not restart it. @default 60_000 */
  readonly idleTimeoutMs?: number;
  /** Longest time of a whole call, without the time in which this side answers asks, in milliseconds. @default 600_000 */
  readonly totalTimeoutMs?: number;
  /** Longest time without a response to the probe for the modern era, in milliseconds. @default 5_000 */
  readonly probeTimeoutMs?: number;
  /** Limits of each connection. */
  readonly limits?: Partial<ConnectionLimits>;
  /** Custom capabilities that are declared under `experimental`. @default none */
  readonly experimental?: JsonObject;
  /** Capabilities of protocol extensions, by the identifier of the extension. @default none */
  readonly extensions?: JsonObject;
  /**
   * Interceptors around each call, including all its rounds of asks; the first is outermost. Every page of a list
   * is a call. @default none
   */
  readonly interceptors?: readonly Interceptor[];
  /** Interceptors around each request of a call. The result of a request may be an ask. @default none */
  readonly attemptInterceptors?: readonly Interceptor[];
  /**
   * Interceptors around each request of a server that an offer of this client handles, asks of either era included.
   * They see a request that is served (`side: 'server'`). @default none
   */
  readonly incomingInterceptors?: readonly Interceptor[];
  /** Counts the calls of each remote; pass `meter()`. @default off */
  readonly stats?: MeterFactory;
}

/** The names of {@link ClientOptions}. */
export const clientOptionNames: Record<keyof ClientOptions, true> = {
  info: true,
  offers: true,
  eras: true,
  versions: true,
  idleTimeoutMs: true,
  totalTimeoutMs: true,
  probeTimeoutMs: true,
  limits: true,
  experimental: true,
  extensions: true,
  interceptors: true,
  attemptInterceptors: true,
  incomingInterceptors: true,
  stats: true,
};
const alike = { timeoutMs: 'idleTimeoutMs', capabilities: 'offers' };

/** Configures one `connect`. */
export interface ConnectOptions {
  /** Aborts connecting at once. The transport closes its connection in the background. */
  readonly signal?: AbortSignal;
  /** Longest time for dialling and opening together, in milliseconds. @default 10_000 */
  readonly timeoutMs?: number;
  /** Receives the faults, also those before the connection is open. @default they are on `faults$`, or printed */
  readonly onFault?: (fault: Fault) => void;
}

const maxEarly = 64;
/** The estimated size of the notifications that are kept until the remote exists, in bytes. */
const maxEarlyBytes = 1024 * 1024;

/** Connects to servers. One client can make any number of connections. */
export interface Client {
  /**
   * Connects to a server.
   * @throws TransportError if the transport fails, RxmcpError `TIMEOUT` or `NO_COMMON_VERSION`, or an RpcError that
   * the server responded with; the reason of `signal` after an abort, or RxmcpError `CANCELLED` if the reason is
   * not an Error; TypeError for a transport whose `dial` returns no connection
   */
  connect(transport: Transport, options?: ConnectOptions): Promise<Remote>;
  /**
   * Connects on subscribe, emits the remote, and closes it on unsubscribe.
   *
   * @stream scoped
   */
  live(transport: Transport, options?: Omit<ConnectOptions, 'signal'>): Observable<Remote>;
}

/**
 * Creates a client from its options.
 * @throws TypeError for values that are not offers, offers that collide, unknown revisions and interceptors that only
 * servers can use
 * @example
 * const desk = defineClient({ info: { name: 'desk', version: '1.0.0' } });
 * const remote = await desk.connect(http('https://example.com/mcp'));
 * const { content } = await tools(remote).call('greet', { name: 'Ada' });
 * await remote.close();
 */
export function defineClient(options: ClientOptions): Client {
  rejectUnknownOptions('defineClient', options, clientOptionNames, alike);
  rejectUnknownOptions('defineClient limits', options.limits, defaultLimits);
  const { info, offers = [], experimental, extensions } = options;
  rejectInterceptorsOf('server', 'the interceptors of a client', options.interceptors);
  rejectInterceptorsOf('server', 'the attemptInterceptors of a client', options.attemptInterceptors);
  rejectInterceptorsOf('client', 'the incomingInterceptors of a client', options.incomingInterceptors);
  rejectInterceptorsOf('server', 'the incomingInterceptors of a client', options.incomingInterceptors);
  const extra = omitUndefined({ experimental, extensions });
  const gathered = collectOffers(offers, 'client', extra);
  const answers = offers.find((offer) => offer.answers !== undefined)?.answers as Answers | undefined;
  const definition: ClientCore = {
    ...gathered,
    answers,
    methods:
      answers?.intercept(gathered.methods, options.incomingInterceptors ?? [], gathered) ?? gathered.methods,
    info,
    versions: versionsOf(options.eras, options.versions),
    modernCapabilities: forModern(gathered.capabilities),
    timeouts: {
      idleTimeoutMs: options.idleTimeoutMs ?? 60_000,
      totalTimeoutMs: options.totalTimeoutMs ?? 600_000,
    },
    probeTimeoutMs: options.probeTimeoutMs ?? 5_000,
    limits: { ...defaultLimits, ...options.limits },
    interceptors: someOf(options.interceptors),
    attemptInterceptors: someOf(options.attemptInterceptors),
    stats: options.stats,
  };

  const open = async (
    transport: Transport,
    { signal, timeoutMs = 10_000, onFault }: ConnectOptions,
  ): Promise<RemoteCore> => {
    const faults = new FaultLog(`client "${info.name}"`);
    if (onFault !== undefined) faults.stream.subscribe(onFault);
    // Notifications that arrive together with the end of the opening wait until the remote exists.
    const early: Parameters<SessionOwner['notification']>[] = [];
    let earlyBytes = 0;
    const waiting: SessionOwner = {
      fault: (fault) => faults.add(fault),
      wire: undefined,
      notification: (...received) => {
        if (early.length === maxEarly) return;
        earlyBytes += estimateBytes(received[2], maxEarlyBytes);
        if (earlyBytes <= maxEarlyBytes) early.push(received);
      },
      over: () => undefined,
    };
    const session = await openSession(definition, transport, waiting, { signal, timeoutMs });
    const core = new RemoteCore(definition, transport, session, faults);
    for (const received of early) if (received[0] === session) core.notification(...received);
    return core;
  };

  return {
    connect: async (transport, connect = {}) => remoteOf(await open(transport, connect)),
    live: (transport, connect = {}) =>
      scoped(async (signal) => {
        const core = await open(transport, { ...connect, signal });
        return {
          value: remoteOf(core),
          close: () => core.close(),
          onEnd: (callback) => core.onEnd(callback),
        };
      }),
  };
}

function someOf(interceptors: readonly Interceptor[] = []): readonly Interceptor[] | undefined {
  return interceptors.length === 0 ? undefined : [...interceptors];
}
