import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Lane, Transport } from '@rxmcp/transport';
import { TransportError } from '@rxmcp/transport';
import type { Observable } from 'rxjs';
import { EMPTY } from 'rxjs';
import { now } from '../base/clock.js';
import { markConnectionLoss } from '../base/error-marks.js';
import { RxmcpError } from '../base/errors.js';
import { quoted } from '../base/message-text.js';
import type { Fault } from '../contract/faults.js';
import { tearDown } from '../contract/faults.js';
import type { LogLevel } from '../contract/report-items.js';
import type { ListName, OfferHost } from '../contract/offer.js';
import type { Topic } from '../contract/remote-link.js';
import type { LogRecord, RemoteStatus, WireEvent } from '../contract/remote.js';
import type { Alert, Meter } from '../contract/stats.js';
import type { FaultLog } from '../streams/fault-log.js';
import { type Hot, hot } from '../streams/hot.js';
import { type Status, status } from '../streams/status.js';
import type { ClientCore } from './client-definition.js';
import { Feeds } from './subscriptions/feeds.js';
import { HeldResponses } from './subscriptions/held-responses.js';
import { NextSession } from './sessions/next-session.js';
import type { Awaiting } from './sessions/next-session.js';
import { openSession } from './sessions/open-session.js';
import { recordOf } from './calls/received-events.js';
import type { Session, SessionOwner } from './sessions/session.js';

const redialMs = 10_000;
const shortLifeMs = 1_000;
/** Redials in a row of connections that lived less than `stableAfterMs`. */
const maxRedials = 5;
const stableAfterMs = 30_000;

/** The internals of a remote: its session, the redial after a loss, its change subscriptions and its hot streams. */
export class RemoteCore implements SessionOwner, OfferHost {
  /** Undefined while redialing and after the end. */
  session: Session | undefined = undefined;
  /** The last session. Its facts stay readable after its end. */
  latest: Session;
  readonly status: Status<RemoteStatus>;
  readonly faults: FaultLog;
  readonly wires = hot<WireEvent>();
  readonly records = hot<LogRecord>();
  readonly alerts = hot<Alert>();
  /** Counts the calls; undefined without `stats`. */
  readonly meter: Meter | undefined;
  /** What the server reports as changed. Only interceptors subscribe. */
  readonly #serverChanges: Hot<Topic | undefined> | undefined;
  readonly feeds: Feeds;
  readonly #next = new NextSession();
  readonly #ends: ((cause: Error | undefined) => void)[] = [];
  readonly #stops: (() => void)[] = [];
  readonly heldResponses = new HeldResponses();
  /** True while a notification of changed roots is about to be sent: one for many changes in a tick. */
  #rootsNotice = false;
  #closing: Promise<void> | undefined;
  isClosing = false;
  readonly #leaving = new AbortController();
  /** The calls that wait for answers to asks, and so have no request in flight. */
  readonly asking = new Set<{ failed(error: Error): void }>();
  /** The log level that the user asked for; requested again on a new connection. */
  logLevel: LogLevel | undefined = undefined;
  #openedAt = 0;
  #redials = 0;
  #ended: { readonly cause: Error | undefined } | undefined;

  constructor(
    readonly core: ClientCore,
    private readonly transport: Transport,
    first: Session,
    faults: FaultLog,
  ) {
    this.faults = faults;
    this.latest = first;
    this.meter = core.stats?.((alert) => this.alerts.emit(alert));
    this.meter?.start();
    this.#serverChanges =
      (core.interceptors ?? core.attemptInterceptors) ? hot<Topic | undefined>() : undefined;
    this.status = status<RemoteStatus>({
      state: 'open',
      version: first.version,
      subscriptions: { open: 0, reopening: 0 },
    });
    this.feeds = new Feeds(
      (topic) => this.#serverChanges?.emit(topic),
      (open, reopening) => {
        const { value } = this.status;
        if (value.state !== 'open') return;
        if (value.subscriptions.open !== open || value.subscriptions.reopening !== reopening) {
          this.status.set({ ...value, subscriptions: { open, reopening } });
        }
      },
    );
    this.#take(first);
    for (const offer of core.offers) {
      if (this.#ended !== undefined) break;
      const stop = offer.start?.(this);
      if (stop !== undefined) this.#stops.push(stop);
    }
  }

  /** The open session. If undefined, a call waits for the next session or the end. */
  get ready(): Session | undefined {
    const { session } = this;
    // A connection that was just lost is still set while its calls fail.
    return session === undefined || session.peer.isOver || this.isClosing ? undefined : session;
  }

  get wire(): SessionOwner['wire'] {
    return this.wires.observed ? (direction, message) => this.wires.emit({ direction, message }) : undefined;
  }

  get hasEnded(): { readonly cause: Error | undefined } | undefined {
    return this.#ended;
  }

  /** What the server reports as changed. Empty without interceptors. */
  get changes(): Observable<Topic | undefined> {
    return this.#serverChanges?.stream ?? EMPTY;
  }

  fault(fault: Fault): void {
    this.faults.add(fault);
    // A standing stream was interrupted and could not be resumed, so that notifications are lost.
    if (TransportError.is(fault.cause) && fault.cause.details?.gap === true) {
      this.#serverChanges?.emit(undefined);
      this.feeds.missed();
    }
  }

  changed(list: ListName): void {
    if (list !== 'roots' || this.#rootsNotice) return;
    this.#rootsNotice = true;
    queueMicrotask(() => {
      this.#rootsNotice = false;
      this.session?.era?.rootsChanged(this.session);
    });
  }

  /**
   * Calls back with the next open session, or the error of a remote that ended. Returns a function that removes the
   * callback.
   */
  whenOpen(callback: Awaiting, isCall = true): () => void {
    if (this.#ended !== undefined) {
      const error = this.#closedError();
      let open = true;
      queueMicrotask(() => open && callback(error));
      return () => (open = false);
    }
    return this.#next.add(callback, isCall);
  }

  /** Calls back once at the end; without a cause if it ended in order. */
  onEnd(callback: (cause: Error | undefined) => void): void {
    if (this.#ended === undefined) this.#ends.push(callback);
    else callback(this.#ended.cause);
  }

  notification(session: Session, method: string, params: JsonObject, lane: Lane | undefined): void {
    if (method === 'notifications/message') this.#record(session, params, lane);
    else if (method === 'notifications/resources/updated') {
      if (session.era?.accepts(session, params) === true && typeof params.uri === 'string') {
        this.#serverChanges?.emit({ uri: params.uri });
        this.feeds.updated(params.uri);
      }
    } else if (listNotice.test(method)) {
      if (session.era?.accepts(session, params) === true) {
        const list = method.split('/')[1] as 'tools' | 'prompts' | 'resources';
        this.#serverChanges?.emit({ list });
        this.feeds.listChanged(list);
      }
    } else {
      const offer = this.core.notifications.get(method);
      if (offer === undefined) {
        this.fault({
          code: 'UNKNOWN_NOTIFICATION',
          message: `no handler for notification ${quoted(method)}`,
        });
        return;
      }
      session.requests?.notified(offer, params);
    }
  }

  // The connection of the session is closed.
  over(session: Session, error: TransportError | undefined): void {
    if (session !== this.session) return;
    this.session = undefined;
    this.feeds.detach();
    if (this.isClosing || error === undefined) this.#finish(undefined);
    else if (!session.connection.traits.redialable) this.#finish(error);
    else void this.#redial(error);
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      this.isClosing = true;
      this.#leaving.abort(new RxmcpError('CLOSED', 'the remote was closed'));
      const { session } = this;
      session?.feed?.close();
      session?.peer.calls.failAll(new RxmcpError('CLOSED', 'the remote was closed', { outcome: 'unknown' }));
      try {
        await session?.connection.close();
      } finally {
        this.#finish(undefined);
      }
    })();
    return this.#closing;
  }

  async #redial(cause: TransportError): Promise<void> {
    const lived = now() - this.#openedAt;
    if (lived >= stableAfterMs) this.#redials = 0;
    if (this.#redials >= maxRedials) return this.#finish(cause);
    this.status.set({ state: 'reconnecting', cause });
    try {
      const { signal } = this.#leaving;
      // Pauses before it dials a server again that accepts connections and closes them at once.
      if (this.#redials++ > 0 && lived < shortLifeMs) await this.#next.pause(shortLifeMs, signal);
      const session = await openSession(this.core, this.transport, this, { signal, timeoutMs: redialMs });
      if (this.isClosing) {
        await session.connection.close();
        return;
      }
      this.#take(session);
    } catch {
      // The loss is the cause that matters; there is one redial only.
      if (!this.isClosing) this.#finish(cause);
    }
  }

  #take(session: Session): void {
    session.owner = this;
    this.#openedAt = now();
    const level = this.latest === session ? undefined : this.logLevel;
    this.latest = session;
    // Set before the status: a subscriber that calls or closes the remote must use this session.
    this.session = session;
    if (session.ended === undefined) {
      if (level !== undefined) session.era?.setLogLevel(session, level, () => undefined);
      // Changes while there was no connection were not reported.
      this.#serverChanges?.emit(undefined);
    }
    const feeds =
      this.status.value.state === 'open' ? this.status.value.subscriptions : { open: 0, reopening: 0 };
    this.status.set({ state: 'open', version: session.version, subscriptions: feeds });
    if (session !== this.session || this.isClosing) return;
    if (session.ended !== undefined) return this.over(session, session.ended.error);
    this.feeds.attach(session);
    this.#next.notify(session);
  }

  #finish(cause: Error | undefined): void {
    if (this.#ended !== undefined) return;
    if (cause !== undefined) markConnectionLoss(cause);
    this.#ended = { cause };
    this.session = undefined;
    for (const stop of this.#stops) tearDown(stop, 'an offer', this);
    const error = this.#closedError();
    this.#next.notify(error);
    for (const run of [...this.asking]) run.failed(error);
    this.feeds.end(cause);
    this.status.end(cause === undefined ? { state: 'closed' } : { state: 'closed', cause });
    this.meter?.stop();
    this.alerts.complete();
    this.records.complete();
    this.faults.complete();
    this.wires.complete();
    this.#serverChanges?.complete();
    this.heldResponses.end();
    for (const end of this.#ends) end(cause);
  }

  #closedError(): Error {
    const cause = this.#ended?.cause;
    if (!TransportError.is(cause)) return new RxmcpError('CLOSED', 'the remote is closed', { cause });
    return new TransportError(cause.code, `the remote is closed: ${cause.message}`, {
      cause,
      outcome: 'not-sent',
      ...(cause.details === undefined ? {} : { details: cause.details }),
    });
  }

  #record(session: Session, params: JsonObject, lane: Lane | undefined): void {
    const record = recordOf(params);
    if (record === undefined) return;
    this.records.emit(record);
    // On a shared pipe a log record names no request. A call receives it only if no other call can be meant.
    const candidates = session.logging.members.filter((run) =>
      lane === undefined ? run.logLevel !== undefined : run.lane === lane,
    );
    if (candidates.length === 1) candidates[0]?.log(record);
  }
}

const listNotice = /^notifications\/(tools|prompts|resources)\/list_changed$/;
