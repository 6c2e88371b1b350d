import { notSentError, processMemory, TransportError } from '@rxmcp/transport';
import { EventSource } from 'eventsource';
import { dialFailure } from './response-errors.js';
import { BoundedEvents } from './bounded-events.js';
import type { EventSourceConstructor, EventSourceLike, SseOptions, StreamResponse } from './options.js';
import { connectionHolder, hasCredentials, HeldBytes, networkCause } from '@rxmcp/transport/internal';
import { request } from './requests.js';
import { Watchdog } from './watchdog.js';

/** Where a stream hands over what comes on it. */
export interface StreamReceiver {
  message(text: string): void;
  fault(error: TransportError): void;
  /** The stream has ended, or must not continue. Called once, last. */
  ended(error: TransportError): void;
  /** Something came, be it nothing but a sign of life. */
  alive(): void;
}

/** Where a server said that messages are to be posted. */
export interface StreamEndpoint {
  readonly endpoint: URL;
  /** How long it took from the first byte out to the first event in, in milliseconds. */
  readonly tookMs: number;
}

const defaultMaxEventBytes = 16 * 1024 * 1024;

/**
 * One stream of one session. The automatic reconnect of an EventSource would begin another session unseen, so the first
 * error ends it for good.
 */
export class SessionStream {
  /** Settles when the server has said where to post, or cannot be asked. */
  readonly opened: Promise<StreamEndpoint>;
  /** The name under which what arrives and what waits to be posted is charged. */
  readonly holder = connectionHolder();
  readonly #source: EventSourceLike;
  readonly #controller = new AbortController();
  readonly #watchdog: Watchdog;
  readonly #early: string[] = [];
  #events: BoundedEvents | undefined;
  #receiver: StreamReceiver | undefined;
  #endpoint: URL | undefined;
  #isOver = false;
  #ending: TransportError | undefined;
  #base: URL;
  #settle: (opening: StreamEndpoint) => void = () => undefined;
  #reject: (error: TransportError) => void = () => undefined;

  constructor(
    private readonly url: URL,
    private readonly options: SseOptions,
  ) {
    this.#base = url;
    this.opened = new Promise((settle, reject) => {
      this.#settle = settle;
      this.#reject = reject;
    });
    this.#watchdog = new Watchdog((ms) => {
      const message = `the server sent nothing for ${Math.round(ms / 1_000)} s`;
      this.#end(new TransportError('CONNECTION_LOST', message));
    });
    const startedAt = performance.now();
    const Source = options.eventSource ?? (EventSource as unknown as EventSourceConstructor);
    this.#source = new Source(url, { fetch: () => this.#fetch() });
    this.#source.addEventListener('endpoint', ({ data }) => {
      if (data !== '') this.#onEndpoint(data, startedAt);
    });
    this.#source.addEventListener('message', ({ data }) => {
      if (data !== '') this.#onMessage(String(data));
    });
    this.#source.addEventListener('error', () => this.#end(this.#lost()));
  }

  /** Begins to hand over. */
  start(receiver: StreamReceiver): void {
    this.#receiver = receiver;
    for (const text of this.#early.splice(0)) receiver.message(text);
    if (this.#ending === undefined) this.#events?.resume();
    else receiver.ended(this.#ending);
  }

  /** Releases everything and stops reporting. */
  close(): void {
    this.#isOver = true;
    this.#watchdog.stop();
    this.#events?.stop();
    this.#source.close();
    this.#controller.abort();
  }

  async #fetch(): Promise<StreamResponse> {
    const { signal } = this.#controller;
    const headers = { accept: 'text/event-stream' };
    let response: Response;
    try {
      response = await request(this.url, { method: 'GET', headers, signal }, this.options);
    } catch (cause) {
      throw this.#end(TransportError.is(cause) ? cause : this.#unreachable(cause));
    }
    const { body, status } = response;
    const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
    if (status !== 200 || !isStream || body === null) throw this.#end(dialFailure(response, this.url.host));
    // What is not known is where it was asked for.
    if (response.url !== '') this.#base = new URL(response.url);
    if (this.#base.origin !== this.url.origin) {
      // A custom `fetch` may follow redirects automatically: posts would send the custom headers to the other origin.
      body.cancel().catch(() => undefined);
      throw this.#end(this.#failed(`redirects to "${this.#base.origin}", which is not followed`));
    }
    const held = new HeldBytes(processMemory(), this.holder);
    const events = new BoundedEvents(body, this.options.maxEventBytes ?? defaultMaxEventBytes, held, {
      alive: () => {
        this.#watchdog.alive();
        this.#receiver?.alive();
      },
      comment: () => this.#watchdog.comment(),
      fault: (error) => this.#receiver?.fault(error),
      ended: (error) => void this.#end(this.#ended(error)),
    });
    this.#events = events;
    return {
      body: { getReader: () => events },
      url: this.#base.href,
      status,
      redirected: response.redirected,
      headers: { get: (name) => response.headers.get(name) },
    };
  }

  #onEndpoint(data: unknown, startedAt: number): void {
    if (this.#isOver) return;
    if (this.#endpoint !== undefined) {
      const message = 'ignored a second "endpoint" event with another URL';
      this.#receiver?.fault(new TransportError('INVALID_MESSAGE', message));
      return;
    }
    const endpoint = URL.canParse(String(data), this.#base) ? new URL(String(data), this.#base) : undefined;
    const isOurs = endpoint?.origin === this.#base.origin && !hasCredentials(endpoint);
    if (endpoint === undefined || !isOurs) {
      const where = endpoint === undefined ? 'no address' : `"${endpoint.origin}"`;
      this.#end(this.#failed(`names ${where} as the place to post to, which is not its own origin`));
      return;
    }
    this.#endpoint = endpoint;
    // Until the connection starts.
    this.#events?.pause();
    this.#settle({ endpoint, tookMs: performance.now() - startedAt });
  }

  #onMessage(text: string): void {
    if (this.#isOver) return;
    if (this.#endpoint === undefined) this.#end(this.#failed('sent a message before it said where to post'));
    else if (this.#receiver === undefined) this.#early.push(text);
    else this.#receiver.message(text);
  }

  /** Ends the stream with its cause, once. */
  #end(error: TransportError): TransportError {
    if (this.#isOver) return error;
    this.#ending = error;
    this.close();
    this.#reject(error);
    this.#receiver?.ended(error);
    return error;
  }

  #unreachable(cause: unknown): TransportError {
    const { code } = networkCause(cause);
    const why = code ?? 'no reason given';
    return new TransportError('DIAL_FAILED', `cannot reach "${this.url.host}": ${why}`, {
      cause,
      details: { code },
    });
  }

  #failed(why: string, cause?: TransportError): TransportError {
    return notSentError('DIAL_FAILED', `the server at "${this.url.host}" ${why}`, cause);
  }

  /** The error of an ended stream: before it was open, the server cannot be reached. */
  #ended(cause: TransportError | undefined): TransportError {
    if (this.#endpoint !== undefined)
      return cause ?? new TransportError('PEER_CLOSED', `the server at "${this.url.host}" ended the stream`);
    return this.#failed('ended the stream before it said where to post', cause);
  }

  #lost(): TransportError {
    if (this.#endpoint === undefined) return this.#failed('could not be read');
    return new TransportError('CONNECTION_LOST', `the stream from "${this.url.host}" was lost`);
  }
}
