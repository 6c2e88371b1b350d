import type {
  JsonRpcErrorResponse,
  RequestId,
  JsonObject,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResultResponse,
} from '@rxmcp/jsonrpc';
import { messageKind } from '@rxmcp/jsonrpc';
import { invalidReason } from '@rxmcp/jsonrpc/internal';
import type { ReceiveInfo, Connection, SendOptions, Lane, Receiver, TransportError } from '@rxmcp/transport';
import { TransportError as Broken } from '@rxmcp/transport';
import { interruptedCall } from '../base/error-marks.js';
import { quoted, describeValue } from '../base/message-text.js';
import type { Fault } from '../contract/faults.js';
import type { CallsHost, PendingCall } from './calls.js';
import { Calls } from './calls.js';
import type { WriterHooks } from './writer.js';
import { Writer } from './writer.js';

/** What a peer reports to its owner. The peer catches what these methods throw. */
export interface PeerHost {
  /** True on the dialling side. There every request opens its own lane, if the transport has lanes. */
  readonly dials: boolean;
  /** Received a request. `heldBytes` is the memory that it takes, 0 if that is unknown. */
  request(request: JsonRpcRequest, receiveInfo: ReceiveInfo | undefined, heldBytes: number): void;
  notification(notification: JsonRpcNotification, receiveInfo: ReceiveInfo | undefined): void;
  batch(entries: readonly unknown[], receiveInfo: ReceiveInfo | undefined, heldBytes: number): void;
  /** Received an invalid message. `id` is its id, if that is readable. */
  invalid(message: string, id: RequestId | undefined, receiveInfo: ReceiveInfo | undefined): void;
  /** Received something unreadable for which the transport proposes a response. */
  unreadable(error: TransportError): void;
  /** The other side closed a lane. */
  laneClosed(lane: Lane, error: TransportError): void;
  fault(fault: Fault): void;
  /** The deadline of an outgoing call has passed. */
  expired(call: PendingCall): void;
  /** The connection is closed. Nothing follows. */
  over(error: TransportError | undefined): void;
  wire: ((direction: 'in' | 'out', message: unknown) => void) | undefined;
}

/** One end of a connection: dispatches messages, matches responses with calls, and never throws. */
export class Peer implements Receiver, WriterHooks, CallsHost {
  readonly calls: Calls;
  readonly writer: Writer;
  #over = false;

  constructor(
    readonly connection: Connection,
    private readonly host: PeerHost,
    readonly maxInFlight: number,
    Kind: new (connection: Connection, hooks: WriterHooks) => Writer = Writer,
  ) {
    this.writer = new Kind(connection, this);
    this.calls = new Calls(this);
  }

  get perRequestLanes(): boolean {
    return this.host.dials && this.connection.traits.lanes === 'per-request';
  }

  get wire(): PeerHost['wire'] {
    return this.host.wire;
  }

  send(
    message: JsonRpcMessage,
    sendOptions: SendOptions | undefined,
    failed: (error: TransportError) => void,
  ): void {
    void this.writer.send(message, sendOptions, failed);
  }

  unsent(cause: TransportError): void {
    if (!this.#over)
      this.host.fault({ code: cause.code, message: `a message was not sent: ${cause.message}`, cause });
  }

  expired(call: PendingCall): void {
    this.host.expired(call);
  }

  teardownFailed({ method }: PendingCall, cause: unknown): void {
    this.host.fault({ code: 'HANDLER_FAILED', message: `tearing down "${method}" threw`, cause });
  }

  /** True once the connection is closed. */
  get isOver(): boolean {
    return this.#over;
  }

  received(incoming: unknown, receiveInfo?: ReceiveInfo, heldBytes = 0): void {
    if (this.#over) return;
    try {
      if (this.host.wire !== undefined) this.host.wire('in', incoming);
      if (Array.isArray(incoming)) this.host.batch(incoming, receiveInfo, heldBytes);
      else this.one(incoming, receiveInfo, heldBytes);
    } catch (cause) {
      this.host.fault({ code: 'INTERNAL_ERROR', message: 'handling a message threw', cause });
    }
  }

  /** Handles one message, or one entry of a batch. */
  one(incoming: unknown, receiveInfo: ReceiveInfo | undefined, heldBytes: number): void {
    switch (messageKind(incoming)) {
      case 'request':
        this.host.request(incoming as JsonRpcRequest, receiveInfo, heldBytes);
        return;
      case 'notification':
        this.host.notification(incoming as JsonRpcNotification, receiveInfo);
        return;
      case 'result':
      case 'error':
        this.#handleResponse(incoming as JsonRpcResultResponse | JsonRpcErrorResponse);
        return;
      case 'invalid':
        this.#invalid(incoming, receiveInfo);
    }
  }

  laneClosed(lane: Lane, error?: TransportError): void {
    if (this.#over) return;
    this.host.laneClosed(
      lane,
      error ?? new Broken('CONNECTION_LOST', 'the stream of this request ended before its result'),
    );
  }

  fault(error: TransportError): void {
    if (this.#over) return;
    this.host.fault({ code: error.code, message: error.message, cause: error });
    // If the transport could read the id of a response, its call fails now and not at its deadline.
    const respondsTo = error.details?.respondsTo;
    const asked = typeof respondsTo === 'number' || typeof respondsTo === 'string';
    if (asked && this.calls.malformed(respondsTo, `could not be read: ${error.message}`)) return;
    if (error.reply !== undefined) this.host.unreadable(error);
  }

  closed(error?: TransportError): void {
    if (this.#over) return;
    this.#over = true;
    this.calls.failAll(({ method }) => {
      // Only here: an error takes time, and thousands of idle connections may close at a time.
      const cause = error ?? new Broken('PEER_CLOSED', 'the connection was closed');
      return interruptedCall(method, cause, cause);
    });
    this.host.over(error);
  }

  #handleResponse(message: JsonRpcResultResponse | JsonRpcErrorResponse): void {
    if (this.calls.settle(message)) return;
    if (this.calls.hasUsed(message.id)) return; // A late response, after a cancellation or a deadline.
    if ('error' in message && (message.id === undefined || message.id === null)) {
      const { code, message: text } = message.error;
      this.host.fault({
        code: 'PEER_ERROR',
        message: `the peer could not read something: ${quoted(text)} (${code})`,
      });
      return;
    }
    this.host.fault({
      code: 'UNKNOWN_RESPONSE',
      message: `received a response with unknown id ${describeValue(message.id)}`,
    });
  }

  #invalid(incoming: unknown, receiveInfo: ReceiveInfo | undefined): void {
    const { message, id } = invalidReason(incoming);
    this.host.fault({ code: 'INVALID_MESSAGE', message });
    const object = incoming as JsonObject | null;
    if (typeof object === 'object' && object !== null && !('method' in object)) {
      // Without a method it may be a malformed response. A call with that id then fails.
      const responseId = object.id;
      const asked = typeof responseId === 'number' || typeof responseId === 'string';
      if (asked && this.calls.malformed(responseId, message)) return;
      if ('result' in object || 'error' in object) return;
    }
    this.host.invalid(message, id, receiveInfo);
  }
}
