import type { RequestId, JsonObject, JsonRpcNotification, JsonRpcRequest } from '@rxmcp/jsonrpc';
import { INVALID_REQUEST } from '@rxmcp/jsonrpc';
import type { ReceiveInfo, Connection, Lane, TransportError } from '@rxmcp/transport';
import { RxmcpError } from '../base/errors.js';
import { quoted, describeValue } from '../base/message-text.js';
import { metaOf, tokenOf } from '../base/request-meta.js';
import type { Fault } from '../contract/faults.js';
import type { LogLevel } from '../contract/report-items.js';
import type { LogRecord } from '../contract/remote.js';
import type { DialledConnection, Greeting, SessionEra, SessionFeed } from '../eras/dialled.js';
import { clientAnswers } from '../eras/legacy/index.js';
import type { Versions } from '../eras/versions.js';
import { carried } from '../eras/versions.js';
import { Admission } from '../peer/admission.js';
import type { PendingCall } from '../peer/calls.js';
import type { Claim, ExchangeHost } from '../peer/exchange-contract.js';
import { Exchange } from '../peer/exchange.js';
import { InFlight } from '../peer/in-flight.js';
import type { PeerHost } from '../peer/peer.js';
import { Peer } from '../peer/peer.js';
import type { Writer } from '../peer/writer.js';
import type { ClientCore } from './client-definition.js';

/** What a session tells the remote it belongs to. */
export interface SessionOwner {
  fault(fault: Fault): void;
  readonly wire: ((direction: 'in' | 'out', message: unknown) => void) | undefined;
  notification(session: Session, method: string, params: JsonObject, lane: Lane | undefined): void;
  over(session: Session, error: TransportError | undefined): void;
}

/** A running call that wants the logs of its own. */
export interface LogSink {
  readonly logLevel: LogLevel | undefined;
  readonly lane: object | undefined;
  log(record: LogRecord): void;
}

/** One connection to a server, from its opening to its end. */
export class Session implements PeerHost, ExchangeHost, DialledConnection {
  readonly dials = true;
  readonly peer: Peer;
  readonly writer: Writer;
  readonly versions: Versions;
  /** Chosen while opening. */
  era: SessionEra | undefined = undefined;
  greeting: Greeting | undefined = undefined;
  version = '';
  /** The level that requests ask for, where the era does that per request. */
  logLevel: LogLevel | undefined = undefined;
  /** Ids of the subscriptions that a server acknowledged. */
  readonly subscriptions = new Set<unknown>();
  feed: SessionFeed | undefined = undefined;
  /** The running calls that want the logs of their own. */
  readonly logging = new Set<LogSink>();
  /** Set once the connection is gone, with its cause unless it ended in order. */
  ended: { readonly error: TransportError | undefined } | undefined = undefined;
  private readonly inFlight: InFlight;
  private readonly admission: Admission;

  constructor(
    readonly definition: ClientCore,
    readonly connection: Connection,
    public owner: SessionOwner,
  ) {
    const { limits } = definition;
    this.versions = carried(definition.versions, connection.traits.versions);
    this.inFlight = new InFlight(connection.traits.idScope === 'lane');
    this.admission = new Admission(limits.maxConcurrentRequests, limits.maxQueuedRequests, this);
    this.peer = new Peer(connection, this, limits.maxCallsInFlight);
    this.writer = this.peer.writer;
    connection.start(this.peer);
  }

  get wire(): PeerHost['wire'] {
    return this.owner.wire;
  }

  /** A request of the house itself: calls back without an error when it was answered well. Returns what takes it back. */
  ask(method: string, params: JsonObject, done: (error?: Error) => void): () => void {
    const { era, peer } = this;
    const call = peer.calls.start(
      method,
      (id) => (era === undefined ? params : era.outgoing(this, method, params, { id })),
      this.definition.patience,
      { result: () => done(), failed: done },
    );
    return () => {
      if (peer.calls.drop(call)) era?.cancel(this, call, 'not needed any more');
    };
  }

  /** A request whose answer does not matter. */
  tell(method: string, params: JsonObject): void {
    this.ask(method, params, () => undefined);
  }

  request(request: JsonRpcRequest, arrival: ReceiveInfo | undefined): void {
    if (this.era?.takesRequests === false) {
      this.fault({
        code: 'UNEXPECTED_REQUEST',
        message: `the server sent the request ${quoted(request.method)}: ignored`,
      });
      return;
    }
    const exchange = new Exchange(this, clientAnswers, this.claim(request), request, arrival);
    if (this.inFlight.get(request.id, arrival?.lane) !== undefined) {
      this.fault({
        code: 'DUPLICATE_ID',
        message: `the id ${describeValue(request.id)} is in flight already`,
      });
      return;
    }
    if (this.era?.lets(this, request.method) !== false)
      exchange.offer = this.definition.methods.get(request.method);
    if (request.method === 'ping') exchange.done({});
    else if (exchange.offer === undefined) exchange.unknownMethod();
    else {
      this.inFlight.add(exchange);
      // The caller's clock stands still while its own user is being asked.
      exchange.onEnd = this.peer.calls.pause(exchange.lane);
      if (!this.admission.admit(exchange)) exchange.overloaded();
    }
  }

  run(exchange: Exchange): void {
    exchange.run();
  }

  finished(exchange: Exchange): void {
    if (!this.inFlight.delete(exchange)) return;
    this.admission.release(exchange);
  }

  notification(notification: JsonRpcNotification, arrival: ReceiveInfo | undefined): void {
    const { method } = notification;
    const params = notification.params ?? {};
    if (method === 'notifications/progress') {
      this.peer.calls.progress(params);
    } else if (method === 'notifications/cancelled') {
      const id = params.requestId;
      this.feed?.cancelled(id);
      const asked =
        typeof id === 'string' || typeof id === 'number' ? this.inFlight.get(id, arrival?.lane) : undefined;
      asked?.cancel(
        new RxmcpError('CANCELLED', `"${asked.method}" was withdrawn by the server`, { outcome: 'unknown' }),
      );
    } else if (method === 'notifications/subscriptions/acknowledged') {
      this.feed?.acknowledged(params);
    } else {
      this.owner.notification(this, method, params, arrival?.lane);
    }
  }

  batch(entries: readonly unknown[], arrival: ReceiveInfo | undefined): void {
    if (this.era?.takesBatch(this, entries) === true)
      for (const entry of entries) this.peer.one(entry, arrival);
    else this.fault({ code: 'INVALID_MESSAGE', message: 'a batch that is not taken in this revision' });
  }

  invalid(message: string, id: RequestId | undefined, arrival: ReceiveInfo | undefined): void {
    // A request that cannot be served is answered; noise without an id is not.
    if (id === undefined || this.era?.takesRequests === false) return;
    const lane = arrival?.lane;
    const error = { code: INVALID_REQUEST, message };
    void this.writer.send({ jsonrpc: '2.0', id, error }, lane === undefined ? undefined : { lane });
  }

  unreadable(): void {
    // A client does not answer what it cannot read; the fault has been told.
  }

  laneClosed(lane: Lane, error: TransportError): void {
    this.peer.calls.laneClosed(lane, error);
    for (const exchange of this.inFlight.ofLane(lane)) exchange.era.laneClosed(exchange);
  }

  fault(fault: Fault): void {
    this.owner.fault(fault);
  }

  expired(call: PendingCall): void {
    this.era?.cancel(this, call, 'timed out');
  }

  over(error: TransportError | undefined): void {
    this.ended = { error };
    const cause = error ?? new RxmcpError('CLOSED', 'the connection was closed', { outcome: 'unknown' });
    this.admission.close();
    for (const exchange of this.inFlight.all()) exchange.cancel(cause);
    this.owner.over(this, error);
  }

  private claim(request: JsonRpcRequest): Claim {
    let meta: JsonObject = {};
    try {
      meta = metaOf(request);
    } catch {
      // A server's odd `_meta` is no reason to refuse what it asks.
    }
    const { greeting } = this;
    const caller = { info: greeting?.info, capabilities: greeting?.capabilities ?? {} };
    return { version: this.version, caller, meta, progressToken: tokenOf(meta), logLevel: undefined };
  }
}
