import { decode, type JsonRpcErrorResponse, type RequestId, messageKind, WireError } from '@rxmcp/jsonrpc';
import { type ParsedSseEvent } from '@rxmcp/jsonrpc/internal';
import { estimateRequestBytes, type Lane, TransportError } from '@rxmcp/transport';
import {
  type HeldBytes,
  readRemainder,
  readText,
  readTime,
  setUnrefTimeout,
  wireErrorToFault,
} from '@rxmcp/transport/internal';
import type { ClientContext } from './delivery.js';
import { StreamResumption, sessionLost } from './stream-resumption.js';
import { EventStreamReader } from './wire/event-stream-reader.js';
import { lost, networkFailure } from './wire/network-error.js';
import { mediaType, unexpectedResponse, errorFromResponse } from './wire/response-error.js';

/** What one request is sent with. */
export interface ExchangeRequest {
  readonly id: RequestId;
  readonly lane: Lane;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  /** It begins a session: the server may name one in its response. */
  readonly completesHandshake: boolean;
  /** Its stream may be taken up again after a cut. */
  readonly resumes: boolean;
  /** What the response is charged to while it arrives. */
  readonly held: HeldBytes;
}

/** The one revision in which a response may be an entry of a batch. MCP 2025-03-26, basic, JSON-RPC batching. */
const batchesVersion = '2025-03-26';
const visible = /^[\x21-\x7e]{1,1024}$/;

/** One request: its POST, and the response as JSON or as a stream, which may be cut and taken up again. */
export class PostExchange {
  readonly #controller = new AbortController();
  /** Made for the first event that can be resumed after: most exchanges never see one. */
  #resumable: StreamResumption | undefined;
  /** Whether the exchange has ended, so that no caller waits for the response. */
  #isOver = false;
  #hasResponse = false;
  /** Why the response could not be read, where one came. */
  #unreadable: TransportError | undefined;

  constructor(
    private readonly host: ClientContext,
    private readonly request: ExchangeRequest,
  ) {}

  /** Gives the exchange up: nothing of it is delivered any more. */
  end(): void {
    this.#isOver = true;
    this.#controller.abort();
  }

  /** Sends and delivers, once `ready` has resolved. Never rejects. */
  async run(ready: Promise<void> | undefined): Promise<void> {
    let error: TransportError | undefined;
    try {
      await ready;
      await this.#readResponse(await this.#post());
      error = this.#hasResponse ? undefined : this.#noResponse();
    } catch (cause) {
      error = this.#failure(cause);
      // Ends a response that has not been read.
      this.#controller.abort();
    }
    if (!this.#isOver) this.host.exchangeOver(this.request.lane, this.#hasResponse ? undefined : error);
  }

  async #post(): Promise<Response> {
    const { link, delivery } = this.host;
    const { headers, text } = this.request;
    const response = await link.post(text, headers, this.#controller.signal);
    await delivery.started;
    const sessionId = response.headers.get('mcp-session-id');
    if (this.request.completesHandshake && response.ok && sessionId !== null) {
      if (!visible.test(sessionId)) throw lost(`${link.server} sent a session id that no header can carry`);
      link.sessionId = sessionId;
    }
    return response;
  }

  async #readResponse(response: Response): Promise<void> {
    const { link, maxResponseBytes } = this.host;
    const type = mediaType(response);
    const isJson = type === 'application/json';
    if (!response.ok) return this.#rejected(response, isJson);
    if (type === 'text/event-stream') return this.#follow(response);
    if (!isJson) throw unexpectedResponse(link.server, response);
    const text = await readText(
      response,
      maxResponseBytes,
      this.#controller.signal,
      this.request.held,
      readTime,
    );
    this.#take(decode(text), text);
  }

  /** A status of failure: a message of the protocol is delivered as such, the rest is the transport's to say. */
  async #rejected(response: Response, isJson: boolean): Promise<void> {
    const { status } = response;
    const { link, timing } = this.host;
    const { server } = link;
    const text = await readRemainder(response, timing.remainderTimeoutMs, this.#controller.signal);
    const message = isJson ? readable(text) : undefined;
    const failure = messageKind(message) === 'error' ? (message as JsonRpcErrorResponse) : undefined;
    const respondsTo = failure === undefined ? false : failure.id;
    const isSession = status === 404 && 'mcp-session-id' in this.request.headers;
    const isCarriers = isSession || status === 401 || status === 403;
    const isAnonymous = respondsTo === undefined || respondsTo === null;
    if (respondsTo === this.request.id || (isAnonymous && !isCarriers)) this.#take(message, text);
    else if (isSession) throw sessionLost(server);
    else throw errorFromResponse(server, response, failure?.error.message);
  }

  /** Reads a stream to the response, over as many cuts as the server can resume after. */
  async #follow(first: Response): Promise<void> {
    const { signal } = this.#controller;
    let response = first;
    for (;;) {
      const end = await this.#read(response);
      if (this.#hasResponse || this.#isOver) return;
      if (this.#unreadable !== undefined) throw this.#unreadable;
      const resumable = this.#resumable;
      resumable?.ended();
      if (resumable === undefined || !resumable.knowsWhere || resumable.isSpent)
        throw end ?? this.#noResponse();
      try {
        response = await resumable.openAgain(signal);
      } catch (error) {
        if (TransportError.is(error) && error.code === 'SESSION_EXPIRED') throw error;
        throw lost('the stream of the request could not be resumed', error);
      }
    }
  }

  /** Gives why a stream was cut, nothing where it ended in order. */
  async #read(response: Response): Promise<TransportError | undefined> {
    const { host } = this;
    let grace: ReturnType<typeof setTimeout> | undefined;
    const giveUp = (): void => {
      stream.stop();
      this.#controller.abort();
    };
    const stream = new EventStreamReader(response, {
      maxBytes: host.maxResponseBytes,
      watchdog: host.watchdog,
      held: this.request.held,
      signal: this.#controller.signal,
      note: (event) => {
        if (!this.#isOver) this.#note(event);
      },
      message: (value, text) => {
        try {
          this.#take(value, text);
        } catch (error) {
          this.#unreadable = error as TransportError;
          giveUp();
        }
        if (!this.#hasResponse) return;
        stream.stop();
        grace = setUnrefTimeout(() => this.#controller.abort(), host.timing.afterResponseTimeoutMs);
      },
      fault: (error) => {
        if (error.code === 'TRUNCATED') return;
        if (error.code === 'OVERFLOW') {
          // What was too large may have been the response, and would be again.
          this.#unreadable = unread(error);
          giveUp();
        } else host.delivery.fault(wireErrorToFault(error));
      },
    });
    try {
      const end = await stream.read();
      return end === 'silent' ? lost(`${host.link.server} sent nothing, not even keep-alives`) : undefined;
    } catch (cause) {
      return networkFailure(host.link.server, cause);
    } finally {
      clearTimeout(grace);
    }
  }

  #note(event: ParsedSseEvent): void {
    const { link, timing } = this.host;
    if (!this.request.resumes || (event.id === undefined && event.retry === undefined)) return;
    this.#resumable ??= new StreamResumption(link, timing, timing.maxCallFailures);
    this.#resumable.noted(event);
  }

  /** Delivers one message or batch of this request. Throws where the response of this request is in an unexpected place. */
  #take(value: unknown, text: string): void {
    if (this.#isOver) return;
    const { id, lane } = this.request;
    const own = messageKind(value) === 'error' && ((value as { id?: unknown }).id ?? null) === null;
    const message = own ? { ...(value as object), id } : value;
    const entries: readonly unknown[] = Array.isArray(message) ? message : [message];
    const holdsResponse = entries.some((entry) => respondsTo(entry, id));
    if (
      holdsResponse &&
      entries === message &&
      this.request.headers['mcp-protocol-version'] !== batchesVersion
    )
      throw new TransportError(
        'INVALID_MESSAGE',
        'the response is in a batch, which this revision does not have',
      );
    if (holdsResponse) this.#hasResponse = true;
    // A response is charged to nothing: the caller gets it.
    this.host.delivery.received(message, lane, holdsResponse ? 0 : estimateRequestBytes(text));
  }

  #noResponse(): TransportError {
    return lost(`${this.host.link.server} ended the stream of the request before its response`);
  }

  #failure(cause: unknown): TransportError {
    if (TransportError.is(cause)) {
      if (cause.code === 'SESSION_EXPIRED' && !this.#isOver) this.host.end(cause);
      return cause;
    }
    return WireError.is(cause) ? unread(cause) : networkFailure(this.host.link.server, cause);
  }
}

function respondsTo(message: unknown, id: RequestId): boolean {
  const kind = messageKind(message);
  return (kind === 'result' || kind === 'error') && (message as { id?: unknown }).id === id;
}

function readable(text: string): unknown {
  try {
    return decode(text);
  } catch {
    return undefined;
  }
}

/** The error of a response that arrived and cannot be read: the request may have run. */
function unread(error: WireError): TransportError {
  return new TransportError(error.code, `the response could not be read: ${error.message}`, {
    cause: error,
    outcome: 'unknown',
  });
}
