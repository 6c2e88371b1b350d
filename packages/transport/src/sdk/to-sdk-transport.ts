import { INVALID_REQUEST, type JsonRpcMessage, messageKind, type RequestId } from '@rxmcp/jsonrpc';
import { invalidReason, isRequestId } from '@rxmcp/jsonrpc/internal';
import { reportThrown } from '../connection/receiving.js';
import type { Connection, Lane, ReceiveInfo, RejectionReason, Transport } from '../contract/contract.js';
import { notSentError, TransportError } from '../contract/error.js';
import { connectionHolder } from '../memory/held-bytes.js';
import { processMemory } from '../memory/memory-budget.js';
import { RequestLanes } from './request-lanes.js';
import type { SdkCallback, SdkSendOptions, SdkTransport } from './sdk-transport.js';
import { ServedRequests } from './served-requests.js';

/** The most messages of a batch that an SDK server receives. */
const maxBatch = 100;
const invalidMeta = '"_meta" must be an object, and its "progressToken" a string or an integer';

/**
 * Converts a transport, which `start` dials, or an accepted connection into a transport of the official SDK's interface. `start`
 * and `send` reject with a {@link TransportError} that `onerror` reports too. `onerror` also reports faults, and the cause of an end
 * before `onclose`. It reports nothing once `close` was called or the connection has ended.
 * @throws TypeError for a connection that many clients share (`traits.idScope` is `'lane'`), since that interface
 * cannot distinguish them
 */
export function toSdkTransport(source: Transport | Connection): SdkTransport {
  return new ToSdkTransport(source);
}

/** @internal */
export class ToSdkTransport implements SdkTransport {
  onmessage?: SdkCallback<[message: unknown, extra?: unknown]> | undefined;
  onerror?: SdkCallback<[error: Error]> | undefined;
  onclose?: SdkCallback<[]> | undefined;
  /** Read by newer SDKs: aborting a request ends its HTTP exchange, without a cancel notification. */
  hasPerRequestStream = false;
  readonly #whenOver: () => void;
  readonly #dialling = new AbortController();
  #connection: Connection | undefined;
  #exchanges: RequestLanes | undefined;
  /** On a served side: the requests without a response. */
  #served: ServedRequests | undefined;
  readonly #holder: string;
  #version: string | undefined;
  #begun = false;
  #over = false;

  constructor(
    private readonly source: Transport | Connection,
    whenOver: () => void = () => undefined,
  ) {
    this.#whenOver = whenOver;
    if (!('dial' in source) && source.traits.idScope === 'lane') {
      throw new TypeError(
        '`toSdkTransport`: many clients share this connection, and the interface of the SDKs cannot distinguish them',
      );
    }
    this.#holder = ('traits' in source ? source.traits.holder : undefined) ?? connectionHolder();
  }

  async start(): Promise<void> {
    if (this.#begun) throw new TypeError('`start` was called before: a transport starts once');
    this.#begun = true;
    let connection: Connection;
    try {
      connection = await this.#connected();
      if (this.#dialling.signal.aborted) {
        await connection.close();
        throw notSentError('DIAL_ABORTED', 'the transport closed meanwhile');
      }
    } catch (cause) {
      throw this.#report(TransportError.from(cause, 'DIAL_FAILED'));
    }
    const perRequest = connection.traits.lanes === 'per-request';
    this.hasPerRequestStream = perRequest;
    this.#exchanges = new RequestLanes(connection.traits, 'dial' in this.source);
    this.#connection = connection;
    if (!('dial' in this.source)) this.#served = new ServedRequests(processMemory());
    connection.start({
      received: (incoming, info, heldBytes) => this.#received(incoming, info, heldBytes),
      laneClosed: (lane, error) => this.#laneClosed(lane, error),
      fault: (error) => this.#fault(error),
      closed: (error) => {
        if (error !== undefined) this.#report(error);
        this.#ended();
      },
    });
  }

  async send(message: unknown, options?: SdkSendOptions): Promise<void> {
    const connection = this.#connection;
    const exchanges = this.#exchanges;
    if (connection === undefined || exchanges === undefined)
      throw this.#report(notSentError('CLOSED', 'the transport was not started'));
    const out = message as JsonRpcMessage;
    if (!('method' in out) && out.id != null) this.#served?.release(out.id);
    const sendOptions = exchanges.sendOptions(out, options, this.#version);
    const hasNoLane = this.hasPerRequestStream && sendOptions.lane === undefined;
    // The response to a request that was cancelled, or whose lane ended, would go to the stream for unasked messages.
    if (this.#served !== undefined && hasNoLane && !('method' in out)) return;
    try {
      await connection.send(out, sendOptions);
    } catch (cause) {
      exchanges.unsent(sendOptions.lane);
      throw this.#report(TransportError.from(cause, 'SEND_FAILED'));
    }
  }

  async close(): Promise<void> {
    this.#dialling.abort();
    if (this.#connection !== undefined) await this.#connection.close();
    else if (!('dial' in this.source)) await this.source.close();
    this.#ended();
  }

  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  async #connected(): Promise<Connection> {
    const { source } = this;
    const { signal } = this.#dialling;
    if (this.#over) throw notSentError('DIAL_ABORTED', 'the transport was closed');
    return 'dial' in source ? source.dial({ signal }) : source;
  }

  #received(incoming: unknown, info: ReceiveInfo | undefined, heldBytes = 0): void {
    // Only one revision has batches; the SDKs receive single messages.
    const messages = Array.isArray(incoming) ? (incoming as unknown[]) : [incoming];
    if (this.#served !== undefined && (messages.length === 0 || messages.length > maxBatch))
      return this.#respond(undefined, `a batch must have 1 to ${maxBatch} messages`, info);
    if (Array.isArray(incoming)) this.#exchanges?.batchReceived(info?.lane);
    for (const message of messages) {
      if (this.#served === undefined) {
        if (typeof message !== 'object' || message === null) continue;
        this.#deliver(message, info);
      } else this.#serve(this.#served, message, info, Math.ceil(heldBytes / messages.length));
    }
  }

  #deliver(message: object, info: ReceiveInfo | undefined): void {
    this.#exchanges?.messageReceived(message, info?.lane);
    try {
      this.onmessage?.(message);
    } catch (cause) {
      reportThrown({ fault: (error) => void this.#report(error) }, cause);
    }
  }

  /** Charges for a request. What the SDKs drop without a response is answered here, and they get no member that they do not know. */
  #serve(served: ServedRequests, message: unknown, info: ReceiveInfo | undefined, bytes: number): void {
    const { id, method, params } = Object(message) as Readonly<Record<string, unknown>>;
    const kind = messageKind(message);
    if (kind === 'invalid') {
      const { id: known, message: reason } = invalidReason(message);
      return this.#respond(known, reason, info);
    }
    const rest = params === undefined ? {} : { params };
    if (kind === 'request') {
      if (!hasValidMeta(params)) return this.#respond(id as RequestId, invalidMeta, info);
      const holder = info?.holder ?? this.#holder;
      const rejected = served.take(id as RequestId, method as string, holder, bytes);
      if (rejected !== undefined) return this.#send(rejected, 'overloaded', info);
      this.#deliver({ jsonrpc: '2.0', id, method, ...rest }, info);
    } else if (method === 'notifications/cancelled') {
      const { requestId, reason } = Object(params) as Readonly<Record<string, unknown>>;
      const why = typeof reason === 'string' ? { reason } : {};
      this.#deliver({ jsonrpc: '2.0', method, params: { requestId, ...why } }, info);
      // The first SDK ignores others, also that of the id 0.
      if (isRequestId(requestId) && Boolean(requestId)) this.#cancelled(served, requestId);
    } else this.#deliver(message as object, info);
  }

  /** Ends what is kept of a request that was cancelled, to which the SDKs do not respond. */
  #cancelled(served: ServedRequests, id: RequestId): void {
    served.release(id);
    const lane = this.#exchanges?.cancelled(id);
    if (lane !== undefined) this.#connection?.endLane(lane);
  }

  #respond(id: RequestId | undefined, reason: string, info: ReceiveInfo | undefined): void {
    const error = { code: INVALID_REQUEST, message: reason };
    this.#send(
      id === undefined ? { jsonrpc: '2.0', error } : { jsonrpc: '2.0', id, error },
      'malformed',
      info,
    );
  }

  #send(out: JsonRpcMessage, rejection: RejectionReason, info: ReceiveInfo | undefined): void {
    const lane = info?.lane;
    const sendOptions = lane === undefined ? { rejection } : { lane, rejection };
    this.#connection?.send(out, sendOptions).catch(() => undefined);
  }

  #laneClosed(lane: Lane, error: TransportError | undefined): void {
    const lost = this.#exchanges?.laneClosed(lane) === true;
    if (lost)
      this.#report(error ?? new TransportError('CONNECTION_LOST', 'a request ended without a response'));
  }

  #fault(error: TransportError): void {
    const { reply } = error;
    // The server side must answer a message that it cannot read, and the SDK behind the callbacks cannot.
    if (reply !== undefined && !('dial' in this.source)) {
      void this.#connection?.send({ jsonrpc: '2.0', ...reply }).catch(() => undefined);
    }
    this.#report(error);
  }

  #report(error: TransportError): TransportError {
    try {
      if (!this.#over && !this.#dialling.signal.aborted) this.onerror?.(error);
    } catch {
      // An error in `onerror` must not cause another error.
    }
    return error;
  }

  #ended(): void {
    if (this.#over) return;
    this.#over = true;
    this.#served?.end();
    this.#exchanges?.end();
    try {
      this.onclose?.();
    } finally {
      this.#whenOver();
    }
  }
}

function hasValidMeta(params: unknown): boolean {
  const { _meta: meta = {} } = Object(params) as { _meta?: unknown };
  if (typeof meta !== 'object' || meta === null || Array.isArray(meta)) return false;
  const token = (meta as { progressToken?: unknown }).progressToken;
  return token === undefined || isRequestId(token);
}
