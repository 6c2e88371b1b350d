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

/** What a peer hands to the side it works for. Nothing here may throw across; the peer guards against it. */
export interface PeerHost {
  /** True at the dialling end: there every request opens a lane of its own, where the carrier has lanes. */
  readonly dials: boolean;
  request(request: JsonRpcRequest, arrival: ReceiveInfo | undefined): void;
  notification(notification: JsonRpcNotification, arrival: ReceiveInfo | undefined): void;
  batch(entries: readonly unknown[], arrival: ReceiveInfo | undefined): void;
  /** Something that is no message came in; `id` where it had a readable one. */
  invalid(message: string, id: RequestId | undefined, arrival: ReceiveInfo | undefined): void;
  /** Something unreadable came in and the transport proposes an answer. */
  unreadable(error: TransportError): void;
  /** A lane ended from the other side. */
  laneClosed(lane: Lane, error: TransportError): void;
  fault(fault: Fault): void;
  /** An outgoing call passed its deadline. */
  expired(call: PendingCall): void;
  /** The connection is gone; nothing comes after it. */
  over(error: TransportError | undefined): void;
  wire: ((direction: 'in' | 'out', message: unknown) => void) | undefined;
}

/** One end of a connection: tells messages apart, matches answers with calls, and never throws. */
export class Peer implements Receiver, WriterHooks, CallsHost {
  readonly calls: Calls;
  readonly writer: Writer;
  private over = false;

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
    envelope: SendOptions | undefined,
    failed: (error: TransportError) => void,
  ): void {
    void this.writer.send(message, envelope, failed);
  }

  unsent(cause: TransportError): void {
    if (!this.over)
      this.host.fault({ code: cause.code, message: `a message was not sent: ${cause.message}`, cause });
  }

  expired(call: PendingCall): void {
    this.host.expired(call);
  }

  teardownFailed({ method }: PendingCall, cause: unknown): void {
    this.host.fault({ code: 'HANDLER_FAILED', message: `tearing down "${method}" threw`, cause });
  }

  /** True once the connection is gone. */
  get isOver(): boolean {
    return this.over;
  }

  received(incoming: unknown, arrival?: ReceiveInfo): void {
    if (this.over) return;
    try {
      if (this.host.wire !== undefined) this.host.wire('in', incoming);
      if (Array.isArray(incoming)) this.host.batch(incoming, arrival);
      else this.one(incoming, arrival);
    } catch (cause) {
      this.host.fault({ code: 'INTERNAL_ERROR', message: 'taking a message in threw', cause });
    }
  }

  /** One message, or one entry of a batch. */
  one(incoming: unknown, arrival: ReceiveInfo | undefined): void {
    switch (messageKind(incoming)) {
      case 'request':
        this.host.request(incoming as JsonRpcRequest, arrival);
        return;
      case 'notification':
        this.host.notification(incoming as JsonRpcNotification, arrival);
        return;
      case 'result':
      case 'error':
        this.answer(incoming as JsonRpcResultResponse | JsonRpcErrorResponse);
        return;
      case 'invalid':
        this.invalid(incoming, arrival);
    }
  }

  laneClosed(lane: Lane, error?: TransportError): void {
    if (this.over) return;
    this.host.laneClosed(
      lane,
      error ?? new Broken('CONNECTION_LOST', 'the stream of this request ended before its result'),
    );
  }

  fault(error: TransportError): void {
    if (this.over) return;
    this.host.fault({ code: error.code, message: error.message, cause: error });
    // Where the carrier could still read whom it was for, that call ends here and not with its deadline.
    const respondsTo = error.details?.respondsTo;
    const isId = typeof respondsTo === 'number' || typeof respondsTo === 'string';
    if (isId && this.calls.garbled(respondsTo, `could not be read: ${error.message}`)) return;
    if (error.reply !== undefined) this.host.unreadable(error);
  }

  closed(error?: TransportError): void {
    if (this.over) return;
    this.over = true;
    const cause = error ?? new Broken('PEER_CLOSED', 'the connection was closed');
    this.calls.failAll(({ method }) => interruptedCall(method, cause, cause));
    this.host.over(error);
  }

  private answer(message: JsonRpcResultResponse | JsonRpcErrorResponse): void {
    if (this.calls.answer(message)) return;
    if (this.calls.gave(message.id)) return; // Late, after a cancel or a deadline: nobody waits for it.
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

  private invalid(incoming: unknown, arrival: ReceiveInfo | undefined): void {
    const { message, id } = invalidReason(incoming);
    this.host.fault({ code: 'INVALID_MESSAGE', message });
    const object = incoming as JsonObject | null;
    if (typeof object === 'object' && object !== null && !('method' in object)) {
      // Without a method it can be meant as an answer: whoever waits for that id hears of it.
      const answered = object.id;
      const asked = typeof answered === 'number' || typeof answered === 'string';
      if (asked && this.calls.garbled(answered, message)) return;
      if ('result' in object || 'error' in object) return;
    }
    this.host.invalid(message, id, arrival);
  }
}
