import { EncodedMessage, type JsonRpcMessage, OVERLOADED, type RequestId } from '@rxmcp/jsonrpc';
import {
  acceptedImmediately,
  notSentError,
  type OutgoingMessage,
  type RejectionReason,
  TransportError,
} from '@rxmcp/transport';
import type { Authenticator, CallerIdentity } from '@rxmcp/transport/guard';
import {
  complain,
  CredentialExpiry,
  eventStream,
  type ExchangeOwner,
  type Headers,
  type HttpExchange,
  json,
  scopeChallenge,
  unreadOutputOf,
  watchUnreadResponse,
} from '@rxmcp/transport/internal';
import type { ListNode, IntrusiveList } from './intrusive-list.js';
import type { StreamResumption, StreamContext, StreamHost, StreamLane } from './streams/stream-host.js';
import { EventStream } from './streams/event-stream.js';

/** What the lanes of one endpoint share. */
export interface LaneContext extends StreamContext<EventStream> {
  /** The lanes whose responses have not begun. */
  readonly waiting: IntrusiveList<PostLane>;
  /** Has the challenge for a caller that lacks scopes. */
  readonly authenticate: Authenticator | undefined;
}

/** What lanes are part of. */
export interface LaneHost extends StreamHost<EventStream> {
  readonly shared: LaneContext;
  /** Whether a request ends when its client disconnects before the response begins. */
  readonly disconnectEnds: boolean;
  /** How the stream of a new lane can be resumed. */
  resumable(): StreamResumption | undefined;
  /** A stream begins. */
  streamOpened(stream: EventStream): void;
  /** Headers of a stream that begins before the opening is answered. */
  readonly openingHeaders: Headers | undefined;
  /** The last message of a handshake: returns the headers of its response. An error opens no session. */
  opened(message: JsonRpcMessage): Headers | undefined;
  /** The client has disconnected from a lane. */
  laneClosed(lane: PostLane): void;
  /** Called when one of its exchanges has ended. */
  exchangeEnded(): void;
}

/** The requests of one POST and the way of their responses: whole as long as there is nothing else to say, then a stream. */
export class PostLane implements ExchangeOwner, StreamLane, ListNode<PostLane> {
  before: PostLane | undefined = undefined;
  after: PostLane | undefined = undefined;
  readonly since: number;
  stream: EventStream | undefined = undefined;
  #exchange: HttpExchange | undefined;
  #expiry: CredentialExpiry | undefined = undefined;
  #done = false;

  /**
   * @param modern Whether the request states its own revision.
   * @param batch The ids of a batch that wait for their responses.
   */
  constructor(
    readonly host: LaneHost,
    exchange: HttpExchange,
    private readonly modern: boolean,
    private readonly batch?: RequestId[],
  ) {
    this.#exchange = exchange;
    host.shared.sweep.wake();
    this.since = host.shared.sweep.tick;
    exchange.owner = this;
    host.shared.waiting.add(this);
  }

  /** Nothing has been answered so far. */
  get isOpen(): boolean {
    return !this.#done;
  }

  /** Ends its stream when the credentials of its caller expire. */
  endWithCredentials(caller: CallerIdentity | undefined): void {
    if (caller === undefined) return;
    this.#expiry = new CredentialExpiry(caller, () => {
      this.commit();
      const exchange = this.stream?.exchange;
      exchange?.end();
      if (exchange !== undefined) watchUnreadResponse(exchange, this.host.shared.bounds.writeTimeoutMs);
    });
  }

  /** Sends one message that belongs to it. */
  send(
    out: OutgoingMessage,
    text: string,
    rejection: RejectionReason | undefined,
    opens: boolean,
  ): Promise<void> {
    if (this.#done) return Promise.reject(requestEnded());
    const responds = isResponse(out);
    if (responds && this.#isLast(out)) return this.#last(out, text, rejection, opens);
    if (this.stream === undefined) {
      if (this.#exchange === undefined)
        return responds ? Promise.reject(requestEnded()) : acceptedImmediately;
      this.commit();
    }
    const { stream } = this;
    if (stream === undefined) return acceptedImmediately;
    return responds ? respond(stream, out, text) : stream.send(text);
  }

  /** Sends a message that is not a response. */
  add(text: string): void {
    this.commit();
    void this.stream?.send(text).catch(() => undefined);
  }

  /** Makes the response a stream. */
  commit(): void {
    const { host } = this;
    const exchange = this.#exchange;
    if (exchange === undefined || this.stream !== undefined) return;
    host.shared.waiting.remove(this);
    this.#exchange = undefined;
    const stream = new EventStream(host, host.resumable());
    this.stream = stream;
    stream.lane = this;
    host.streamOpened(stream);
    const { openingHeaders } = host;
    stream.open(exchange, openingHeaders && { ...eventStream, ...openingHeaders });
  }

  /** Nothing more will be sent. */
  end(): void {
    if (this.#done) return;
    this.#finish();
    const exchange = this.#exchange;
    this.#exchange = undefined;
    if (this.stream === undefined) exchange?.respond(202, {});
    else this.stream.finish();
  }

  /** Its connection has ended: the waiting exchange is answered so. */
  drop(respond: (exchange: HttpExchange) => void): void {
    if (this.#done) return;
    this.#finish();
    const exchange = this.#exchange;
    this.#exchange = undefined;
    if (exchange !== undefined) respond(exchange);
    this.stream?.finish();
  }

  /** Called when its stream has ended and cannot be resumed. */
  streamEnded(): void {
    if (this.#done) return;
    this.#finish();
    this.host.laneClosed(this);
  }

  ended(): void {
    this.host.exchangeEnded();
    if (this.#done || this.#exchange === undefined) return;
    this.#exchange = undefined;
    this.host.shared.waiting.remove(this);
    // A handler in a session continues, but its messages cannot be sent.
    if (this.host.disconnectEnds) this.#finish();
    this.host.laneClosed(this);
  }

  drained(): void {
    // Whole responses are written at once.
  }

  stalled(exchange: HttpExchange): void {
    exchange.cut();
  }

  #last(
    out: OutgoingMessage,
    text: string,
    rejection: RejectionReason | undefined,
    opens: boolean,
  ): Promise<void> {
    const opened = opens ? this.host.opened(messageOf(out)) : undefined;
    this.#finish();
    const { stream } = this;
    const exchange = this.#exchange;
    this.#exchange = undefined;
    if (stream !== undefined) {
      const sent = respond(stream, out, text);
      stream.finish();
      return sent;
    }
    if (exchange === undefined) return Promise.reject(requestEnded());
    if (text.length > largeResponse && !unreadOutputOf(exchange, this.host.shared.memory).hold(text.length)) {
      const { id } = messageOf(out) as { id?: RequestId };
      complain(exchange, { ...unread, ...(id === undefined ? {} : { id }) });
      return Promise.reject(new TransportError('OVERFLOW', unread.message));
    }
    const status = statusOf(rejection, this.modern);
    let headers = opened === undefined ? json : { ...json, ...opened };
    if (status === 403)
      headers = { ...headers, ...scopeChallenge(this.host.shared.authenticate, scopesOf(out)) };
    if (status === 503) headers = { ...headers, 'retry-after': String(retryAfterS(out)) };
    exchange.respond(status, headers, text);
    watchUnreadResponse(exchange, this.host.shared.bounds.writeTimeoutMs);
    return acceptedImmediately;
  }

  #finish(): void {
    this.#done = true;
    this.#expiry?.stop();
    this.host.shared.waiting.remove(this);
  }

  /** Whether it is the response that everything waited for. One without an id rejects a whole batch. */
  #isLast(out: OutgoingMessage): boolean {
    const { batch } = this;
    if (batch === undefined) return true;
    const { id } = messageOf(out) as { id?: RequestId | null };
    if (id === undefined || id === null) return true;
    const at = batch.indexOf(id);
    if (at >= 0) batch.splice(at, 1);
    // Each response of a batch is an event of its own, the only one included.
    if (batch.length === 0) this.commit();
    return batch.length === 0;
  }
}

/** A shorter response is not charged: it fits into the buffers of its socket. */
const largeResponse = 64 * 1024;
const unread = {
  status: 503,
  code: OVERLOADED,
  message: 'the responses that this caller has not read take too much memory',
  headers: { 'retry-after': '1' },
  data: { retryAfterMs: 1_000, executed: true },
};

/** Sends a response on a stream. A large one becomes an error where its caller has not read too much already. */
function respond(stream: EventStream, out: OutgoingMessage, text: string): Promise<void> {
  if (text.length <= largeResponse || stream.reserve(text)) return stream.send(text);
  const { id } = messageOf(out) as { id?: RequestId };
  const { code, message, data } = unread;
  stream.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } })).catch(() => undefined);
  return Promise.reject(new TransportError('OVERFLOW', message));
}

const prepared = /^\{"jsonrpc":"2\.0",(?:"id":(?:-?\d+|"(?:[^"\\]|\\.)*"),)?"(result|error|method)":/;

/** Whether a message is a response. An encoded text is parsed only where it does not begin as usual. */
function isResponse(out: OutgoingMessage): boolean {
  if (out instanceof EncodedMessage) {
    const first = prepared.exec(out.text)?.[1];
    if (first !== undefined) return first !== 'method';
  }
  return !('method' in messageOf(out));
}

/** Returns the HTTP status of a response; `rejection` is why the peer rejected the request, `undefined` if it did not. */
function statusOf(rejection: RejectionReason | undefined, perRequest: boolean): number {
  switch (rejection) {
    case undefined:
      return 200;
    case 'overloaded':
      return 503;
    case 'insufficient-scope':
      return 403;
    case 'unknown-method':
      // Sessions are spoken by clients that read a 404 as the end of theirs.
      return perRequest ? 404 : 200;
    default:
      return 400;
  }
}

function messageOf(out: OutgoingMessage): JsonRpcMessage {
  return 'text' in out ? (out as EncodedMessage).message : out;
}

function retryAfterS(out: OutgoingMessage): number {
  const { error } = messageOf(out) as { error?: { data?: { retryAfterMs?: unknown } } };
  const ms = error?.data?.retryAfterMs;
  return typeof ms === 'number' && ms > 0 ? Math.ceil(ms / 1_000) : 1;
}

function scopesOf(out: OutgoingMessage): unknown {
  const { error } = messageOf(out) as { error?: { data?: { requiredScopes?: unknown } } };
  return error?.data?.requiredScopes;
}

function requestEnded(): TransportError {
  return notSentError('CLOSED', 'the request of this response has ended');
}
