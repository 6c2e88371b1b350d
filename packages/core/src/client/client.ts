import type { JsonObject } from '@rxmcp/jsonrpc';
import { rejectRenamedOptions } from '@rxmcp/transport/internal';
import type { Transport } from '@rxmcp/transport';
import type { Observable } from 'rxjs';
import type { Implementation } from '../contract/context.js';
import type { Interceptor } from '../contract/interceptor.js';
import type { Offer } from '../contract/offer.js';
import type { Remote } from '../contract/remote.js';
import type { MeterFactory } from '../contract/stats.js';
import type { EraId } from '../eras/versions.js';
import { versionsOf } from '../eras/versions.js';
import { rejectInterceptorsOf } from '../interceptors/interceptor-marks.js';
import { collectOffers } from '../offers/capabilities.js';
import type { ConnectionLimits } from '../peer/limits.js';
import { defaultLimits, renamedLimits } from '../peer/limits.js';
import { FaultLog } from '../streams/fault-log.js';
import { scoped } from '../streams/scoped.js';
import type { Answers } from './answers.js';
import type { ClientCore } from './client-definition.js';
import { forModern } from './client-definition.js';
import { openSession } from './open-session.js';
import { RemoteCore } from './remote-core.js';
import { remoteOf } from './remote.js';
import type { SessionOwner } from './session.js';

/** What a client is. */
export interface ClientOptions {
  readonly info: Implementation;
  /** What servers may use: sampling, roots, elicitation, methods of one's own. @default none */
  readonly offers?: readonly Offer[];
  /** @default both; the modern one is tried first */
  readonly eras?: readonly EraId[];
  /** Pins protocol revisions. @default every published one */
  readonly versions?: readonly string[];
  /** Longest time without a sign of life of a call, in milliseconds. @default 60_000 */
  readonly idleTimeoutMs?: number;
  /** Longest time of a call in all, in milliseconds. @default 600_000 */
  readonly totalTimeoutMs?: number;
  /** How long the probe for the modern era may be silent, in milliseconds. @default 5_000 */
  readonly probeTimeoutMs?: number;
  readonly limits?: Partial<ConnectionLimits>;
  readonly experimental?: JsonObject;
  readonly extensions?: JsonObject;
  /**
   * What stands around each call, all its rounds of asking included, the first outermost; every page of a list is a call.
   * @default none
   */
  readonly interceptors?: readonly Interceptor[];
  /** The same around each request on the wire, whose result may be a question. @default none */
  readonly attemptInterceptors?: readonly Interceptor[];
  /**
   * Around each request of a server that an offer of this client answers, questions among them, in either era. To them it is a request
   * that is served (`side: 'server'`). @default none
   */
  readonly incomingInterceptors?: readonly Interceptor[];
  /** Counts the calls of each remote: `meter()`. @default nobody does */
  readonly stats?: MeterFactory;
}

/** Options of one connecting. */
export interface ConnectOptions {
  /** Gives up at once; nothing is left behind once the transport has closed, which goes on by itself. */
  readonly signal?: AbortSignal;
  /** The budget for dialling and opening together, in milliseconds. @default 10_000 */
  readonly timeoutMs?: number;
}

const maxEarly = 64;

/** A description of a client; makes any number of remotes. */
export interface Client {
  /**
   * Connects. Rejects with TransportError, RxmcpError (TIMEOUT, NO_COMMON_VERSION) or RpcError; once aborted, with the reason of the
   * signal, which by default is a DOMException named AbortError, or with RxmcpError (CANCELLED) where that is no Error.
   * A transport whose dial gives no connection is a TypeError.
   */
  connect(transport: Transport, options?: ConnectOptions): Promise<Remote>;
  /**
   * The same as a stream that owns its remote: dials on subscribe, closes on unsubscribe.
   *
   * @stream scoped
   */
  live(transport: Transport, options?: Omit<ConnectOptions, 'signal'>): Observable<Remote>;
}

/** Describes a client. Throws a TypeError for offers that are none or collide, unknown revisions and interceptors of a server. */
export function defineClient(options: ClientOptions): Client {
  rejectRenamedOptions('defineClient', options, {
    timeoutMs: 'idleTimeoutMs',
    totalMs: 'totalTimeoutMs',
    probeMs: 'probeTimeoutMs',
    perAttempt: 'attemptInterceptors',
    asks: 'incomingInterceptors',
  });
  rejectRenamedOptions('defineClient limits', options.limits, renamedLimits);
  const { info, offers = [], experimental, extensions } = options;
  rejectInterceptorsOf('server', 'the interceptors of a client', options.interceptors);
  rejectInterceptorsOf('server', 'the attemptInterceptors of a client', options.attemptInterceptors);
  rejectInterceptorsOf('client', 'the incomingInterceptors of a client', options.incomingInterceptors);
  rejectInterceptorsOf('server', 'the incomingInterceptors of a client', options.incomingInterceptors);
  const extra = {
    ...(experimental === undefined ? {} : { experimental }),
    ...(extensions === undefined ? {} : { extensions }),
  };
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
    patience: {
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
    { signal, timeoutMs = 10_000 }: ConnectOptions,
  ): Promise<RemoteCore> => {
    const faults = new FaultLog(`client "${info.name}"`);
    // What a server says in one breath with the end of the opening waits for the remote that hears it.
    const early: Parameters<SessionOwner['notification']>[] = [];
    const waiting: SessionOwner = {
      fault: (fault) => faults.add(fault),
      wire: undefined,
      notification: (...heard) => void (early.length < maxEarly && early.push(heard)),
      over: () => undefined,
    };
    const session = await openSession(definition, transport, waiting, { signal, timeoutMs });
    const core = new RemoteCore(definition, transport, session, faults);
    for (const heard of early) if (heard[0] === session) core.notification(...heard);
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
