import type { ErrorObject, RequestId, JsonObject, JsonRpcNotification, JsonRpcRequest } from '@rxmcp/jsonrpc';
import { INVALID_REQUEST, METHOD_NOT_FOUND } from '@rxmcp/jsonrpc';
import type {
  ReceiveInfo,
  Connection,
  SendOptions,
  Lane,
  RejectionReason,
  TransportError,
} from '@rxmcp/transport';
import { RxmcpError } from '../../base/errors.js';
import { type Indexed, IndexedSet } from '../../base/indexed-set.js';
import { quoted, describeValue } from '../../base/message-text.js';
import type { Caller } from '../../contract/context.js';
import type { Fault } from '../../contract/faults.js';
import type { LogLevel } from '../../contract/report-items.js';
import type { LogRecord } from '../../contract/remote.js';
import type { DialledConnection, Greeting, SessionEra, SessionFeed } from '../../eras/dialled.js';
import type { Versions } from '../../eras/versions.js';
import { carried } from '../../eras/versions.js';
import type { PendingCall } from '../../peer/calls.js';
import type { PeerHost } from '../../peer/peer.js';
import { Peer } from '../../peer/peer.js';
import { holderOf } from '../../peer/memory.js';
import type { Writer } from '../../peer/writer.js';
import type { ServerRequests } from '../asks/answers.js';
import type { ClientCore } from '../client-definition.js';

/** What a session reports to its remote. */
export interface SessionOwner {
  fault(fault: Fault): void;
  readonly wire: ((direction: 'in' | 'out', message: unknown) => void) | undefined;
  notification(session: Session, method: string, params: JsonObject, lane: Lane | undefined): void;
  over(session: Session, error: TransportError | undefined): void;
}

/** A running call that receives its own log records. */
export interface LogSink extends Indexed {
  readonly logLevel: LogLevel | undefined;
  readonly lane: object | undefined;
  log(record: LogRecord): void;
}

/** One connection to a server, from its opening to its end. */
export class Session implements PeerHost, DialledConnection {
  readonly dials = true;
  readonly peer: Peer;
  readonly writer: Writer;
  readonly versions: Versions;
  /** Chosen while opening. */
  era: SessionEra | undefined = undefined;
  greeting: Greeting | undefined = undefined;
  version = '';
  /** The log level that requests name, in the era that does so. */
  logLevel: LogLevel | undefined = undefined;
  /** The ids of subscriptions that the server acknowledged. */
  readonly subscriptions = new Set<unknown>();
  /** The name under which a budget charges what the server makes this side keep. */
  readonly holder: string;
  feed: SessionFeed | undefined = undefined;
  /** The running calls that receive their own log records. */
  readonly logging = new IndexedSet<LogSink>();
  /** Set once the connection is closed; without an error if it ended in order. */
  ended: { readonly error: TransportError | undefined } | undefined = undefined;
  /** Undefined if no offer handles requests or notifications. */
  readonly requests: ServerRequests | undefined;

  constructor(
    readonly definition: ClientCore,
    readonly connection: Connection,
    public owner: SessionOwner,
  ) {
    const { limits } = definition;
    this.holder = holderOf(connection.traits);
    this.versions = carried(definition.versions, connection.traits.versions);
    this.peer = new Peer(connection, this, limits.maxCallsInFlight, definition.answers?.Writer);
    this.writer = this.peer.writer;
    this.requests = definition.answers?.requests(this);
    connection.start(this.peer);
  }

  get wire(): PeerHost['wire'] {
    return this.owner.wire;
  }

  /** The server as the caller of this client. */
  get server(): Caller {
    const { greeting } = this;
    return { info: greeting?.info, capabilities: greeting?.capabilities ?? {} };
  }

  /**
   * Sends a request of the library itself. Calls back without an error after a result. Returns a function that
   * cancels the request.
   */
  sendOwn(method: string, params: JsonObject, done: (error?: Error) => void): () => void {
    const { era, peer } = this;
    const call = peer.calls.start(
      method,
      (id) => (era === undefined ? params : era.outgoing(this, method, params, { id })),
      this.definition.timeouts,
      { result: () => done(), failed: done },
    );
    return () => {
      if (peer.calls.drop(call)) era?.cancel(this, call, 'not needed any more');
    };
  }

  /** Sends a request and ignores the response. */
  sendAndForget(method: string, params: JsonObject): void {
    this.sendOwn(method, params, () => undefined);
  }

  request(request: JsonRpcRequest, receiveInfo: ReceiveInfo | undefined, heldBytes: number): void {
    if (this.era?.takesRequests === false) {
      this.fault({
        code: 'UNEXPECTED_REQUEST',
        message: `the server sent the request ${quoted(request.method)}: ignored`,
      });
      return;
    }
    const { id, method } = request;
    if (this.requests?.has(id, receiveInfo?.lane) === true) {
      this.fault({ code: 'DUPLICATE_ID', message: `the id ${describeValue(id)} is in flight already` });
      return;
    }
    const offer =
      this.era?.allowsRequest(this, method) === false ? undefined : this.definition.methods.get(method);
    if (method === 'ping') this.#reply(request, receiveInfo, { result: {} });
    else if (this.requests !== undefined && offer !== undefined)
      this.requests.serve(request, receiveInfo, offer, heldBytes);
    else {
      const error = { code: METHOD_NOT_FOUND, message: `unknown method ${quoted(method)}` };
      this.#reply(request, receiveInfo, { error }, 'unknown-method');
    }
  }

  notification(notification: JsonRpcNotification, receiveInfo: ReceiveInfo | undefined): void {
    const { method } = notification;
    const params = notification.params ?? {};
    if (method === 'notifications/progress') {
      this.peer.calls.progress(params);
    } else if (method === 'notifications/cancelled') {
      const id = params.requestId;
      this.feed?.cancelled(id);
      if (typeof id === 'string' || typeof id === 'number') this.requests?.cancelled(id, receiveInfo?.lane);
    } else if (method === 'notifications/subscriptions/acknowledged') {
      this.feed?.acknowledged(params);
    } else {
      this.owner.notification(this, method, params, receiveInfo?.lane);
    }
  }

  batch(entries: readonly unknown[], receiveInfo: ReceiveInfo | undefined, heldBytes: number): void {
    const share = Math.ceil(heldBytes / entries.length);
    if (this.era?.takesBatch(this, entries) === true)
      for (const entry of entries) this.peer.one(entry, receiveInfo, share);
    else
      this.fault({
        code: 'INVALID_MESSAGE',
        message: 'received a batch, which this revision does not allow',
      });
  }

  invalid(message: string, id: RequestId | undefined, receiveInfo: ReceiveInfo | undefined): void {
    // A request that cannot be served gets a response; anything without an id does not.
    if (id === undefined || this.era?.takesRequests === false) return;
    const lane = receiveInfo?.lane;
    const error = { code: INVALID_REQUEST, message };
    void this.writer.send({ jsonrpc: '2.0', id, error }, lane === undefined ? undefined : { lane });
  }

  unreadable(): void {
    // A client does not respond to messages that it cannot read. The peer has reported the fault.
  }

  laneClosed(lane: Lane, error: TransportError): void {
    this.peer.calls.laneClosed(lane, error);
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
    this.requests?.over(cause);
    this.owner.over(this, error);
  }

  // Responds without a handler.
  #reply(
    { id, method }: JsonRpcRequest,
    receiveInfo: ReceiveInfo | undefined,
    body: { result: JsonObject } | { error: ErrorObject },
    rejection?: RejectionReason,
  ): void {
    const lane = receiveInfo?.lane;
    const { version } = this;
    const sendOptions: SendOptions = {
      version,
      ...(lane === undefined ? {} : { lane }),
      ...(rejection === undefined ? {} : { rejection }),
    };
    void this.writer.send({ jsonrpc: '2.0', id, ...body }, sendOptions, (cause) =>
      this.fault({ code: cause.code, message: `the response to ${quoted(method)} was not sent`, cause }),
    );
  }
}
