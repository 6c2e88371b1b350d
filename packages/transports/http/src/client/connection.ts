import { encode, EncodedMessage, type JsonRpcMessage } from '@rxmcp/jsonrpc';
import { detectEra } from '@rxmcp/jsonrpc/internal';
import {
  acceptedImmediately,
  type Connection,
  type SendOptions,
  notSentError,
  processMemory,
  type Lane,
  type OutgoingMessage,
  type Receiver,
  type Traits,
  TransportError,
} from '@rxmcp/transport';
import {
  connectionHolder,
  exceedsBytes,
  HeldBytes,
  onAbort,
  setUnrefTimeout,
  settleWithin,
} from '@rxmcp/transport/internal';
import { Delivery, type ClientContext } from './delivery.js';
import { PostExchange } from './post-exchange.js';
import type { HttpOptions } from './options.js';
import { PostSender } from './post-sender.js';
import { StandingStream } from './standing-stream.js';
import { type Timing, timing as defaultTiming } from './time/timing.js';
import { Watchdog } from './time/watchdog.js';
import { discard, Link } from './wire/link.js';
import { encodeMessageHeaders } from './wire/message-headers.js';

const defaultMessageBytes = 4 * 1024 * 1024;
const defaultResponseBytes = 16 * 1024 * 1024;

/** The dialling side: a POST per message, a lane per request, and where a session was opened its standing stream. */
export class HttpClientConnection implements Connection, ClientContext {
  readonly traits: Traits;
  readonly link: Link;
  readonly timing: Timing;
  readonly watchdog: Watchdog;
  readonly delivery = new Delivery();
  readonly maxResponseBytes: number;
  /** The name under which what arrives, and what waits to be posted, is charged. */
  readonly #holder = connectionHolder();
  readonly #exchanges = new Map<Lane, PostExchange>();
  readonly #posts = new PostSender(this);
  #standing: StandingStream | undefined;
  #state: 'open' | 'closing' | 'closed' = 'open';
  #cause: TransportError | undefined;
  #closing: Promise<void> | undefined;
  /** The last words of an opening are on their way: nothing may overtake them. */
  #opening: Promise<void> | undefined;

  constructor(endpoint: URL, options: HttpOptions, timing: Timing = defaultTiming) {
    const { maxMessageBytes = defaultMessageBytes, maxResponseBytes = defaultResponseBytes } = options;
    this.traits = {
      lanes: 'per-request',
      idScope: 'connection',
      serverInitiates: true,
      clientReplies: true,
      carriesHeaders: true,
      redialable: true,
      maxMessageBytes,
    };
    this.maxResponseBytes = maxResponseBytes;
    this.link = new Link(endpoint, options);
    this.timing = timing;
    this.watchdog = new Watchdog(timing);
  }

  held(holder = this.#holder): HeldBytes {
    return new HeldBytes(processMemory(), holder);
  }

  start(receiver: Receiver): void {
    this.delivery.start(receiver);
  }

  send(out: OutgoingMessage, sendOptions: SendOptions = {}): Promise<void> {
    if (this.#state !== 'open')
      return Promise.reject(notSentError('CLOSED', 'the connection is closed', this.#cause));
    if (sendOptions.signal?.aborted === true)
      return Promise.reject(notSentError('SEND_FAILED', 'sending was aborted', sendOptions.signal.reason));
    let text: string;
    let message: JsonRpcMessage;
    try {
      text = encode(out);
      message = out instanceof EncodedMessage ? out.message : out;
    } catch (cause) {
      return Promise.reject(notSentError('SEND_FAILED', 'the message cannot be written as JSON', cause));
    }
    const { maxMessageBytes } = this.traits;
    if (exceedsBytes(text, maxMessageBytes))
      return Promise.reject(notSentError('TOO_LARGE', `the message is larger than ${maxMessageBytes} bytes`));
    if ('method' in message && 'id' in message) {
      this.#exchange(message, text, sendOptions);
      return acceptedImmediately;
    }
    return this.#tell(text, sendOptions);
  }

  endLane(lane: Lane): void {
    this.#exchanges.get(lane)?.end();
    this.#exchanges.delete(lane);
  }

  close(): Promise<void> {
    this.#closing ??= this.#state === 'closed' ? Promise.resolve() : this.#release();
    return this.#closing;
  }

  exchangeOver(lane: Lane, error: TransportError | undefined): void {
    this.#exchanges.delete(lane);
    if (error !== undefined) this.delivery.laneClosed(lane, error);
  }

  end(cause: TransportError): void {
    if (this.#state !== 'open') return;
    this.#abandon();
    this.#finish(cause);
  }

  /** Sends a request; its lane reports the outcome. */
  #exchange(request: JsonRpcMessage & { id?: unknown }, text: string, sendOptions: SendOptions): void {
    const { lane = {}, signal, holder } = sendOptions;
    const claim = detectEra(request);
    const exchange = new PostExchange(this, {
      id: request.id as string | number,
      lane,
      text,
      headers: this.#headers(sendOptions, claim !== 'unknown'),
      completesHandshake: claim === 'legacy',
      resumes: claim === 'unknown',
      held: this.held(holder),
    });
    this.#exchanges.set(lane, exchange);
    const forget = onAbort(signal, () => this.endLane(lane));
    void exchange.run(this.#opening).then(forget);
  }

  /** Sends what gets no response. */
  #tell(text: string, sendOptions: SendOptions): Promise<void> {
    const { lane, completesHandshake, signal, version } = sendOptions;
    if (completesHandshake === true) this.link.version = version ?? this.link.version;
    const headers = this.#headers(sendOptions, false);
    const opening = this.#opening;
    const sent = this.#posts.send({ text, headers, lane, signal, opening }).catch((error: unknown) => {
      throw this.#state === 'open' ? error : this.#endedMeanwhile(error);
    });
    if (completesHandshake === true) this.#openWith(sent);
    return sent;
  }

  /** Opens the standing stream once the server has received `notifications/initialized`. */
  #openWith(sent: Promise<void>): void {
    const over = (): void => {
      this.#opening = undefined;
    };
    this.#opening = sent.then(() => {
      over();
      if (this.#state !== 'open' || this.#standing !== undefined) return;
      this.#standing = new StandingStream(this);
      void this.delivery.started.then(() => this.#standing?.run());
    }, over);
  }

  #headers({ version, headers: messageHeaders }: SendOptions, standsAlone: boolean): Record<string, string> {
    const spoken = version ?? messageHeaders?.['version'];
    return {
      ...(standsAlone ? {} : this.link.sessionHeaders()),
      ...(spoken === undefined ? {} : { 'mcp-protocol-version': spoken }),
      ...(messageHeaders === undefined ? {} : encodeMessageHeaders(messageHeaders)),
    };
  }

  async #release(): Promise<void> {
    this.#state = 'closing';
    this.#abandon();
    // What was sent before an orderly end may still be on its way.
    await settleWithin(this.#posts.settled(), this.timing.closeTimeoutMs / 2);
    if (this.link.sessionId !== undefined) await this.#deleteSession();
    this.#finish(undefined);
  }

  /** Ends the session on the server with a DELETE, and ignores the response. */
  async #deleteSession(): Promise<void> {
    const bound = new AbortController();
    const alarm = setUnrefTimeout(() => bound.abort(), this.timing.closeTimeoutMs);
    const headers = this.link.sessionHeaders();
    await this.link
      .request({ method: 'DELETE', headers, signal: bound.signal })
      .then(discard, () => undefined);
    clearTimeout(alarm);
  }

  #abandon(): void {
    for (const exchange of this.#exchanges.values()) exchange.end();
    this.#exchanges.clear();
    this.#standing?.end();
  }

  #endedMeanwhile(error: unknown): TransportError {
    const outcome = TransportError.is(error) ? error.outcome : 'unknown';
    return (
      this.#cause ??
      new TransportError('CLOSED', 'the connection closed meanwhile', { cause: error, outcome })
    );
  }

  #finish(cause: TransportError | undefined): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#cause = cause;
    this.#posts.abort();
    this.delivery.closed(cause);
  }
}
