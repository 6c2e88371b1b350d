import {
  INVALID_REQUEST,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type RequestId,
} from '@rxmcp/jsonrpc';
import { namesVersion } from '@rxmcp/jsonrpc/internal';
import {
  type ReceiveInfo,
  type Connection,
  type Lane,
  type MemoryBudget,
  type ServedConnection,
  type Traits,
  TransportError,
} from '@rxmcp/transport';
import { timer } from '../base/clock.js';
import { quoted } from '../base/message-text.js';
import type { Fault } from '../contract/faults.js';
import type { Meter } from '../contract/stats.js';
import { senderOf } from '../eras/caller.js';
import { isAcceptedByLegacy, legacyServed, startsNextSession, takesBatch } from '../eras/legacy/index.js';
import { modernServed } from '../eras/modern/index.js';
import type { LegacyState, Listen, EraConnection, ServedEra } from '../eras/served.js';
import { carried, type Versions } from '../eras/versions.js';
import { handleNotification } from '../peer/notification-handler.js';
import { Admission, type RequestAdmission } from '../peer/admission.js';
import type { ResponseTurns } from '../peer/response-turns.js';
import { BacklogWriter } from '../peer/backlog-writer.js';
import type { PendingCall } from '../peer/calls.js';
import { Exchange } from '../peer/exchange.js';
import { InFlight } from '../peer/in-flight.js';
import { budgetUsedUp, chargeRequest, holderOf } from '../peer/memory.js';
import type { SharedConnectionLimits, ConnectionLimits } from '../peer/limits.js';
import { Peer, type PeerHost } from '../peer/peer.js';
import { cancelAll, endSession, releaseSession } from './end-session.js';
import { NotificationQueue } from './notification-queue.js';
import { cancellation, rejectDuplicate, rejectMessage } from './rejections.js';
import { measure, type ServerCore } from './server-definition.js';
import { FairAdmission } from './shared-admission.js';
import { ResourceSubscriptions } from './resource-subscriptions.js';

/** One accepted connection. It serves both eras: the era belongs to the message, not to the connection. */
export class ServerConnection implements PeerHost, EraConnection, ServedConnection {
  readonly traits: Traits;
  readonly peer: Peer;
  readonly writer: BacklogWriter;
  readonly notices: NotificationQueue;
  readonly watches: ResourceSubscriptions;
  readonly versions: Versions;
  readonly limits: ConnectionLimits;
  /** How the limits are shared out among many callers. */
  readonly shares: SharedConnectionLimits | undefined;
  readonly inFlight: InFlight;
  /** The state of a legacy handshake. */
  legacy: LegacyState | undefined = undefined;
  /** The open subscriptions of the modern era. */
  listens: Set<Listen> | undefined = undefined;
  #closedLanes: WeakSet<Lane> | undefined = undefined;
  #whenClosed: Promise<void> | undefined = undefined;
  readonly wire: PeerHost['wire'] = undefined;
  readonly dials = false;
  readonly admission: RequestAdmission;
  readonly meter: Meter | undefined;
  readonly memory: MemoryBudget;
  readonly turns: ResponseTurns;
  readonly holder: string;
  #resolveClosed: (() => void) | undefined = undefined;
  /** True once new requests are rejected. */
  draining = false;
  /** The lanes of cancelled requests. Each is closed when no other request is left on it. */
  #endingLanes: Set<Lane> | undefined = undefined;
  #whenIdle: Set<() => void> | undefined = undefined;

  constructor(
    readonly core: ServerCore,
    readonly connection: Connection,
  ) {
    this.traits = connection.traits;
    this.versions = carried(core.versions, this.traits.versions);
    this.meter = core.meter;
    this.memory = core.memory;
    this.turns = core.turns;
    this.holder = holderOf(this.traits);
    const isShared = this.traits.idScope === 'lane';
    this.shares = isShared ? core.sharedLimits : undefined;
    const limits = this.shares ?? core.limits;
    this.limits = limits;
    this.inFlight = new InFlight(isShared);
    this.admission =
      this.shares === undefined
        ? new Admission(limits.maxConcurrentRequests, limits.maxQueuedRequests, this)
        : new FairAdmission(this.shares, this);
    this.peer = new Peer(connection, this, limits.maxCallsInFlight, BacklogWriter);
    this.writer = this.peer.writer as BacklogWriter;
    this.notices = new NotificationQueue(this.writer, core.meter);
    this.watches = new ResourceSubscriptions(
      core.hub,
      limits.maxResourceSubscriptions,
      core.guard,
      this.shares,
      this,
    );
    connection.start(this.peer);
  }

  /** The number of open subscriptions. */
  get subscriptions(): number {
    return (this.listens?.size ?? 0) + (this.legacy?.watches?.size ?? 0);
  }

  get closed(): Promise<void> {
    // Created on demand: there are many connections, and most are idle.
    this.#whenClosed ??= this.peer.isOver
      ? Promise.resolve()
      : new Promise((resolve) => (this.#resolveClosed = resolve));
    return this.#whenClosed;
  }

  /** Whether the client closed the lane. Nothing can be sent on it. */
  isLaneClosed(lane: Lane): boolean {
    return this.#closedLanes?.has(lane) === true;
  }

  request(request: JsonRpcRequest, receiveInfo: ReceiveInfo | undefined, heldBytes: number): void {
    const era = this.#eraOf(request);
    if (era === legacyServed && startsNextSession(this, request)) endSession(this);
    if (this.inFlight.get(request.id, receiveInfo?.lane) !== undefined) {
      rejectDuplicate(this, request, receiveInfo);
      return;
    }
    let exchange: Exchange;
    try {
      exchange = new Exchange(this, era, era.claim(this, request, receiveInfo), request, receiveInfo);
    } catch (error) {
      // The claims of the request could not be read: an exchange without claims rejects it in the form of its era.
      const claim = { ...noClaims, version: receiveInfo?.version ?? '' };
      const unread = new Exchange(this, era, claim, request, receiveInfo);
      unread.unread = true;
      measure(this, unread);
      unread.failed(error);
      return;
    }
    if (!chargeRequest(exchange, heldBytes)) return exchange.overloaded(budgetUsedUp);
    const own = era.own.get(request.method);
    if (own !== undefined) {
      this.inFlight.add(exchange);
      own.handle(this, exchange);
      return;
    }
    measure(this, exchange);
    const offer = this.core.methods.get(request.method);
    if (offer === undefined || !era.has(request.method)) return exchange.unknownMethod();
    exchange.offer = offer;
    if (this.draining) return exchange.overloaded();
    this.inFlight.add(exchange);
    if (!this.admission.admit(exchange)) exchange.overloaded();
  }

  notification(notification: JsonRpcNotification, receiveInfo: ReceiveInfo | undefined): void {
    const { method, params } = notification;
    if (method === 'notifications/cancelled') {
      const id = params?.requestId;
      const exchange =
        typeof id === 'string' || typeof id === 'number'
          ? this.inFlight.get(id, receiveInfo?.lane)
          : undefined;
      // `initialize` cannot be cancelled; unknown and finished ids are ignored.
      if (exchange === undefined || exchange.method === 'initialize') return;
      if (exchange.lane !== undefined) (this.#endingLanes ??= new Set()).add(exchange.lane);
      exchange.cancel(cancellation(exchange, params?.reason));
      return;
    }
    if (method === 'notifications/progress') {
      if (params !== undefined) this.peer.calls.progress(params);
      return;
    }
    const offer = this.core.notifications.get(method);
    if (offer === undefined) {
      if (isAcceptedByLegacy(this, method)) return;
      this.fault({ code: 'UNKNOWN_NOTIFICATION', message: `no handler for notification ${quoted(method)}` });
      return;
    }
    handleNotification(offer, params ?? {}, senderOf(this, receiveInfo), this, receiveInfo);
  }

  batch(entries: readonly unknown[], receiveInfo: ReceiveInfo | undefined, heldBytes: number): void {
    if (takesBatch(this, entries, receiveInfo)) {
      for (const entry of entries) this.peer.one(entry, receiveInfo, Math.ceil(heldBytes / entries.length));
    } else
      rejectMessage(
        this,
        undefined,
        { code: INVALID_REQUEST, message: 'batches are not supported here' },
        receiveInfo,
      );
  }

  invalid(message: string, id: RequestId | undefined, receiveInfo: ReceiveInfo | undefined): void {
    rejectMessage(this, id, { code: INVALID_REQUEST, message }, receiveInfo);
  }

  unreadable(error: TransportError): void {
    if (error.reply !== undefined) rejectMessage(this, error.reply.id, error.reply.error, undefined);
  }

  laneClosed(lane: Lane): void {
    (this.#closedLanes ??= new WeakSet()).add(lane);
    this.#endingLanes?.delete(lane);
    for (const exchange of this.inFlight.ofLane(lane)) exchange.era.laneClosed(exchange);
  }

  fault(fault: Fault): void {
    this.core.fault(fault);
  }

  get exposeErrors(): ServerCore['exposeErrors'] {
    return this.core.exposeErrors;
  }

  expired(call: PendingCall): void {
    // The client did not respond to an ask in time. The call fails; this cancels it at the client.
    legacyServed.withdraw(this, call);
  }

  finished(exchange: Exchange): void {
    this.inFlight.delete(exchange);
    if (exchange.lane !== undefined && this.#endingLanes?.has(exchange.lane) === true)
      this.#endLane(exchange.lane);
    this.admission.release(exchange);
    if (this.#whenIdle !== undefined && this.inFlight.size === 0) for (const idle of this.#whenIdle) idle();
  }

  async drain(options: { readonly timeoutMs: number }): Promise<void> {
    this.draining = true;
    modernServed.endFeeds(this);
    legacyServed.endFeeds(this);
    if (this.inFlight.size === 0) return;
    await new Promise<void>((resolve) => {
      const idle = (): void => {
        clearTimeout(alarm);
        this.#whenIdle?.delete(idle);
        resolve();
      };
      const alarm = timer(idle, Math.max(0, options.timeoutMs));
      (this.#whenIdle ??= new Set()).add(idle);
    });
  }

  over(error: TransportError | undefined): void {
    cancelAll(this, () => error ?? new TransportError('PEER_CLOSED', 'the connection was closed'));
    releaseSession(this);
    this.core.connectionClosed(this, error);
    this.#resolveClosed?.();
  }

  // In a microtask: the last request of a batch is about to be answered on this lane.
  #endLane(lane: Lane): void {
    if (this.inFlight.ofLane(lane).length > 0) return;
    this.#endingLanes?.delete(lane);
    queueMicrotask(() => this.connection.endLane(lane));
  }

  run(exchange: Exchange): void {
    // request() creates all exchanges here with a served era.
    const { prepare } = exchange.era as ServedEra;
    if (prepare === undefined) exchange.run();
    else this.#runPrepared(exchange, prepare);
  }

  #runPrepared(exchange: Exchange, prepare: NonNullable<ServedEra['prepare']>): void {
    let prepared: Promise<void> | undefined;
    try {
      prepared = prepare(this, exchange);
    } catch (error) {
      exchange.failed(error);
      return;
    }
    if (prepared === undefined) exchange.run();
    else
      prepared.then(
        () => exchange.run(),
        (error: unknown) => exchange.failed(error),
      );
  }

  #eraOf(request: JsonRpcRequest): ServedEra {
    const { modern, legacy } = this.versions;
    if (legacy.length === 0) return modernServed;
    // A version that is not a string is an invalid claim of the modern era.
    return modern.length > 0 && namesVersion(request) ? modernServed : legacyServed;
  }
}

const noClaims = { caller: { capabilities: {} }, meta: {}, progressToken: undefined, logLevel: undefined };
