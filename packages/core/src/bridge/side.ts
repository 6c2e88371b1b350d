import type {
  EncodedMessage,
  ErrorObject,
  RequestId,
  JsonRpcNotification,
  JsonRpcRequest,
} from '@rxmcp/jsonrpc';
import { INVALID_REQUEST } from '@rxmcp/jsonrpc';
import type { ReceiveInfo, Connection, Lane, RejectionReason } from '@rxmcp/transport';
import { processMemory, TransportError } from '@rxmcp/transport';
import { HeldBytes } from '@rxmcp/transport/internal';
import { RxmcpError } from '../base/errors.js';
import { textSize } from '../base/json-size.js';
import type { Fault } from '../contract/faults.js';
import { BacklogWriter } from '../peer/backlog-writer.js';
import type { ExchangeHost } from '../peer/exchange-contract.js';
import type { Exchange } from '../peer/exchange.js';
import { InFlight } from '../peer/in-flight.js';
import { holderOf, holderOfRequest } from '../peer/memory.js';
import type { PeerHost } from '../peer/peer.js';
import { Peer } from '../peer/peer.js';
import { OutboundBuffer } from './pending-notifications.js';

/** Handles what one side of a bridge receives. */
export interface SideHandler {
  readonly dials: boolean;
  request(request: JsonRpcRequest, receiveInfo: ReceiveInfo | undefined, heldBytes: number): void;
  notification(notification: JsonRpcNotification, receiveInfo: ReceiveInfo | undefined): void;
  /** Whether a request begins the session of another client on this connection. */
  startsNextSession(request: JsonRpcRequest): boolean;
  /** Whether the revision in use allows a batch. */
  takesBatch(entries: readonly unknown[]): boolean;
  fault(fault: Fault): void;
  over(error: TransportError | undefined): void;
}

const maxCalls = 16_384;
const maxWaiting = 4_096;
const maxWaitingChars = 32 * 1024 * 1024;
/** Fewer than a client over HTTP lets wait: beyond that its connection ends, which others may share. */
const maxNotifications = 1_000;

/** One side of a bridge: its connection, the requests received on it, and the calls sent on it. */
export class Side implements PeerHost, ExchangeHost {
  readonly peer: Peer;
  readonly writer: BacklogWriter;
  readonly held: OutboundBuffer;
  readonly inFlight: InFlight;
  readonly memory = processMemory();
  readonly holder: string;
  readonly wire: PeerHost['wire'] = undefined;
  /** Called when no request is left. */
  idle: (() => void) | undefined = undefined;
  /** Lanes that end once their requests have: those with a cancelled one. */
  readonly #ending = new WeakSet<Lane>();
  #isOverflowed = false;

  constructor(
    readonly connection: Connection,
    private readonly handler: SideHandler,
  ) {
    this.holder = holderOf(connection.traits);
    this.inFlight = new InFlight(connection.traits.idScope === 'lane');
    this.peer = new Peer(connection, this, maxCalls, BacklogWriter);
    this.writer = this.peer.writer as BacklogWriter;
    this.writer.measure = (out) => ('text' in out ? (out as EncodedMessage).text.length : textSize(out));
    this.held = new OutboundBuffer(
      this.writer,
      (lane) => new HeldBytes(this.memory, this.#holderOfLane(lane)),
      (lane) => this.#overflowed(lane),
    );
  }

  /**
   * Whether too many messages wait to be sent on a shared pipe; requests are then rejected. With a lane per
   * request, a slow lane delays only itself.
   */
  get isFull(): boolean {
    return this.connection.traits.lanes === 'shared' && this.#hasWaiting(maxWaiting);
  }

  /** Whether so many messages without a lane wait that the next notification is dropped. */
  get dropsNotifications(): boolean {
    return this.#hasWaiting(maxNotifications);
  }

  // Whether so many messages without a lane of their own wait to be sent, or so long ones.
  #hasWaiting(messages: number): boolean {
    const { writer } = this;
    return writer.waiting(undefined) >= messages || writer.waitingChars(undefined) >= maxWaitingChars;
  }

  get dials(): boolean {
    return this.handler.dials;
  }

  start(): void {
    this.connection.start(this.peer);
  }

  request(request: JsonRpcRequest, receiveInfo: ReceiveInfo | undefined, heldBytes: number): void {
    if (this.handler.startsNextSession(request)) {
      const reason = new RxmcpError('CANCELLED', 'another client started a session', { outcome: 'unknown' });
      for (const exchange of this.inFlight.all()) exchange.cancel(reason);
    }
    if (this.inFlight.get(request.id, receiveInfo?.lane) === undefined) {
      this.handler.request(request, receiveInfo, heldBytes);
      return;
    }
    this.fault({ code: 'DUPLICATE_ID', message: 'an id that is in flight already' });
    // On a shared pipe an error with this id would end the first request at its caller.
    const id = this.connection.traits.lanes === 'per-request' ? request.id : undefined;
    this.#reject(id, 'the id is in flight already', receiveInfo, 'malformed');
  }

  notification(notification: JsonRpcNotification, receiveInfo: ReceiveInfo | undefined): void {
    const { method, params = {} } = notification;
    if (method === 'notifications/progress') this.peer.calls.progress(params);
    else if (method !== 'notifications/cancelled') this.handler.notification(notification, receiveInfo);
    else {
      const id = params.requestId;
      const found =
        typeof id === 'string' || typeof id === 'number'
          ? this.inFlight.get(id, receiveInfo?.lane)
          : undefined;
      if (found === undefined) this.handler.notification(notification, receiveInfo);
      else if (found.method !== 'initialize') this.#cancelled(found, params.reason);
    }
  }

  batch(entries: readonly unknown[], receiveInfo: ReceiveInfo | undefined, heldBytes: number): void {
    const share = Math.ceil(heldBytes / entries.length);
    if (this.handler.takesBatch(entries))
      for (const entry of entries) this.peer.one(entry, receiveInfo, share);
    else this.#reject(undefined, 'batches are not supported here', receiveInfo, 'malformed');
  }

  invalid(message: string, id: RequestId | undefined, receiveInfo: ReceiveInfo | undefined): void {
    this.#reject(id, message, receiveInfo, 'malformed');
  }

  unreadable({ reply }: TransportError): void {
    if (reply !== undefined && !this.dials) this.#respond(reply.id, reply.error, undefined, 'malformed');
  }

  laneClosed(lane: Lane, error: TransportError): void {
    if (this.dials) this.peer.calls.laneClosed(lane, error);
    this.held.drop(lane);
    for (const exchange of this.inFlight.ofLane(lane)) exchange.era.laneClosed(exchange);
  }

  fault(fault: Fault): void {
    this.handler.fault(fault);
  }

  expired(): void {
    // The asking side has its own deadlines; a bridge has none.
  }

  over(error: TransportError | undefined): void {
    this.held.clear();
    this.handler.over(error);
  }

  finished(exchange: Exchange): void {
    this.inFlight.delete(exchange);
    const { lane } = exchange;
    if (lane !== undefined && this.#ending.has(lane) && this.inFlight.ofLane(lane).length === 0) {
      this.held.drop(lane);
      queueMicrotask(() => this.connection.endLane(lane));
    }
    // Its response, if there is one, is sent next.
    this.held.flush(lane);
    if (this.inFlight.size === 0) this.idle?.();
  }

  #holderOfLane(lane: Lane | undefined): string {
    const [exchange] = lane === undefined ? [] : this.inFlight.ofLane(lane);
    return exchange === undefined ? this.holder : holderOfRequest(exchange);
  }

  // With a lane per request, only the requests of the slow lane fail. A shared pipe is closed for all.
  #overflowed(lane: Lane | undefined): void {
    if (this.#isOverflowed) return;
    const message = 'the client reads slower than the server sends';
    this.fault({ code: 'OVERFLOW', message });
    if (lane === undefined) {
      this.#isOverflowed = true;
      void this.connection.close();
      return;
    }
    const error = new TransportError('OVERFLOW', message);
    for (const exchange of this.inFlight.ofLane(lane)) exchange.failed(error);
    this.connection.endLane(lane);
  }

  #cancelled(exchange: Exchange, reason: unknown): void {
    if (exchange.lane !== undefined && !this.dials) this.#ending.add(exchange.lane);
    const why = typeof reason === 'string' ? reason.slice(0, 1_000) : 'cancelled';
    exchange.cancel(new RxmcpError('CANCELLED', why, { outcome: 'unknown' }));
  }

  #reject(
    id: RequestId | undefined,
    message: string,
    receiveInfo: ReceiveInfo | undefined,
    rejection: RejectionReason,
  ): void {
    this.#respond(id, { code: INVALID_REQUEST, message }, receiveInfo, rejection);
  }

  #respond(
    id: RequestId | undefined,
    error: ErrorObject,
    receiveInfo: ReceiveInfo | undefined,
    rejection: RejectionReason,
  ): void {
    const lane = receiveInfo?.lane;
    const named = id === undefined ? {} : { id };
    void this.writer.send(
      { jsonrpc: '2.0', ...named, error },
      { rejection, ...(lane === undefined ? {} : { lane }) },
    );
  }
}
