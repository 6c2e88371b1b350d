import { decode, INTERNAL_ERROR, messageKind, WireError } from '@rxmcp/jsonrpc';
import { encodeSseEvent, invalidReason, isBatch } from '@rxmcp/jsonrpc/internal';
import { type Channel, estimateRequestBytes, type Sink, TransportError } from '@rxmcp/transport';
import {
  CredentialExpiry,
  HeldBytes,
  SendQueue,
  clampTimeout,
  setUnrefTimeout,
  wireErrorToFault,
  type AsyncScope,
  captureAsyncScope,
  identityOf,
  loopTurns,
  settleWithin,
  bare,
  type BodyProblem,
  type BodyTaker,
  busy,
  noMemory,
  complain,
  eventStream,
  type ExchangeOwner,
  type HttpExchange,
  rejectBody,
  unreadOutputOf,
  watchUnreadResponse,
} from '@rxmcp/transport/internal';
import type { SessionParts } from './session-parts.js';

const maxHeld = 1_024;
const maxHeldBytes = 8 * 1024 * 1024;
const flushWithinMs = 1_000;

/** What was posted: the text of a message, or `undefined` for what is not UTF-8. */
interface PostError {
  readonly text: string | undefined;
  readonly exchange: HttpExchange;
  /** The memory that it takes while it waits. */
  readonly bytes: number;
  /** The async context of the post, if it had to wait. */
  readonly scope?: AsyncScope | undefined;
}

/** The response for a session that belongs to another caller, has ended, or never existed. */
export const unknownSession = { status: 404, message: 'there is no such session' };

/** One client: the stream that it reads, and what it posts. */
export class Session implements Channel, ExchangeOwner, BodyTaker {
  /** None for an anonymous caller. */
  readonly expiry: CredentialExpiry | undefined;
  readonly #queue: SendQueue;
  readonly #pulse: ReturnType<typeof setInterval>;
  readonly #first: ReturnType<typeof setTimeout> | undefined;
  #started = false;
  #isOpen = false;
  #isSlow = false;
  #over = false;
  #held: PostError[] = [];
  #heldBytes = 0;
  readonly #waiting: HeldBytes;
  #settle: () => void = () => undefined;
  /** Resolves when the stream has closed. */
  readonly #closed: Promise<void>;

  constructor(
    private readonly sink: Sink,
    private readonly parts: SessionParts,
  ) {
    const { stream, endpoint, keepAliveIntervalMs, writeTimeoutMs, firstMessageTimeoutMs, schedule } = parts;
    this.#closed = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#waiting = new HeldBytes(parts.memory, stream.holder);
    this.#queue = new SendQueue({
      writeTimeoutMs,
      schedule,
      maxBurstChars: 64 * 1024,
      write: (text) => this.#write(text),
      unread: unreadOutputOf(stream, parts.memory),
      buffered: () => stream.queuedBytes,
      failed: (error) => {
        stream.owner = undefined;
        stream.cut();
        sink.closed(error);
        this.ended();
      },
      // The client does not read its responses: further posts are rejected until it does.
      pressure: (over) => {
        this.#isSlow = over;
        this.#takeHeld();
      },
    });
    // It is written by `begin`, or with what is too much to wait for it.
    void this.#queue.send(encodeSseEvent({ event: 'endpoint', data: endpoint }));
    this.#pulse = setInterval(() => this.#keepAlive(), clampTimeout(keepAliveIntervalMs));
    // An open stream keeps the process alive; this timer must not.
    (this.#pulse as { unref?: () => void }).unref?.();
    if (Number.isFinite(firstMessageTimeoutMs)) {
      const message = `the client posted nothing for ${firstMessageTimeoutMs / 1_000} s`;
      const idle = (): void => this.#end(new TransportError('CONNECTION_LOST', message));
      this.#first = setUnrefTimeout(idle, firstMessageTimeoutMs);
    }
    const { caller } = stream;
    this.expiry = caller && new CredentialExpiry(caller, () => void this.#expired());
    stream.owner = this;
  }

  start(): void {
    this.#started = true;
    this.#takeHeld();
  }

  /** Writes the beginning of the stream, once a connection handler has accepted the session. */
  begin(): void {
    void this.#queue.flushed();
  }

  send(text: string): Promise<void> | void {
    return this.#queue.send(encodeSseEvent({ event: 'message', data: text }));
  }

  async close(): Promise<void> {
    const { stream } = this.parts;
    this.#endPosts();
    await settleWithin(this.#queue.flushed(), flushWithinMs);
    stream.end();
    await settleWithin(this.#closed, flushWithinMs);
    this.#queue.stop();
    stream.cut();
  }

  /** Rejects the session, since no connection handler accepts it: answers so where nothing has been written. */
  rejected(): void {
    const { stream } = this.parts;
    stream.owner = undefined;
    this.ended();
    if (this.#isOpen) stream.cut();
    else complain(stream, { status: 500, code: INTERNAL_ERROR, message: 'internal error' });
  }

  /** Takes one posted message, at once or when the one who reads it can go on. */
  body(exchange: HttpExchange, text: string | undefined): void {
    if (this.#over) return complain(exchange, unknownSession);
    clearTimeout(this.#first);
    const isTaken = this.parts.turns.run(text ?? '', this.parts.stream.holder, () =>
      this.#arrived(exchange, text),
    );
    if (!isTaken) busy(exchange, noMemory, 1);
  }

  #arrived(exchange: HttpExchange, text: string | undefined): void {
    if (this.#over) return complain(exchange, unknownSession);
    if (this.#started && !this.#isSlow) return this.#take({ exchange, text, bytes: 0 });
    const bytes = estimateRequestBytes(text ?? '');
    const all = this.#heldBytes + bytes;
    const isFull = this.#held.length >= maxHeld || (this.#held.length > 0 && all > maxHeldBytes);
    if (isFull || !this.#waiting.resize(all)) return busy(exchange, 'too many messages wait in this session');
    this.#heldBytes = all;
    this.#held.push({ exchange, text, bytes, scope: captureAsyncScope() });
  }

  unreadable(exchange: HttpExchange, problem: BodyProblem): void {
    // Nothing more of such a connection is wanted.
    const headers = { connection: 'close' };
    switch (problem) {
      case 'not-utf-8':
        return this.body(exchange, undefined);
      case 'late':
        return complain(exchange, { status: 408, message: 'the message did not come in time', headers });
      case 'broken':
        return complain(exchange, { status: 400, message: 'the message was cut' });
      case 'too-large': {
        const { maxMessageBytes } = this.parts;
        const message = `a message must have at most ${maxMessageBytes} bytes`;
        // Its response is the one over HTTP: whom it would be for was not read.
        const fault = `a message is larger than ${maxMessageBytes} bytes`;
        this.sink.fault(new TransportError('TOO_LARGE', fault));
        return complain(exchange, { status: 413, message, headers });
      }
      default:
        rejectBody(exchange, problem);
    }
  }

  disconnected(exchange: HttpExchange): void {
    this.unreadable(exchange, 'broken');
  }

  /** Reports a fault where another caller used the id of this session. */
  foreign(): void {
    this.sink.fault(new TransportError('INVALID_MESSAGE', 'another caller used the id of this session'));
  }

  drained(): void {
    this.#queue.onDrain();
  }

  /** The rest of a stream that has ended is not read; before, the queue has an alarm of its own. */
  stalled(): void {
    this.parts.stream.cut();
  }

  /** The client closed the stream, which ends its session, or the stream was cut: the two look alike. */
  ended(): void {
    this.#settle();
    this.#release();
    this.sink.closed();
  }

  #write(text: string): boolean {
    const { stream } = this.parts;
    if (!this.#isOpen) stream.open(eventStream);
    this.#isOpen = true;
    return stream.write(text);
  }

  /** Shows that the stream is alive, where nothing waits that would show it. */
  #keepAlive(): void {
    if (this.#queue.isEmpty) void this.#queue.send(': keepalive\n\n');
  }

  #take({ exchange, text }: PostError): void {
    let value: unknown;
    try {
      if (text === undefined) throw new WireError('PARSE_ERROR', 'the message is not valid UTF-8');
      value = decode(text);
    } catch (error) {
      const { rpcCode: code, message } = error as WireError;
      this.sink.fault(wireErrorToFault(error as WireError));
      return complain(exchange, { status: 400, code, message });
    }
    const { caller } = exchange;
    const info = caller === undefined ? undefined : identityOf(caller);
    this.expiry?.received(value, caller);
    this.sink.value(value, info, estimateRequestBytes(text));
    if (isBatch(value) || messageKind(value) !== 'invalid') exchange.respond(202, bare);
    else complain(exchange, { status: 400, ...invalidReason(value) });
  }

  readonly #takeHeld = (): void => {
    while (this.#started && !this.#isSlow && !this.#over) {
      if (this.#held.length > 0 && !loopTurns.hasTime())
        return loopTurns.run(this.parts.stream.holder, this.#takeHeld);
      const next = this.#held.shift();
      if (next === undefined) return;
      this.#waiting.resize((this.#heldBytes -= next.bytes));
      if (next.scope === undefined) this.#take(next);
      else next.scope.runInAsyncScope(this.#take, this, next);
    }
  };

  /** Ends it, with an error where the client has lost it. */
  #end(error?: TransportError): void {
    this.sink.closed(error);
    this.#release();
    const { stream, writeTimeoutMs } = this.parts;
    stream.end();
    watchUnreadResponse(stream, writeTimeoutMs);
  }

  async #expired(): Promise<void> {
    await this.parts.drain();
    await settleWithin(this.#queue.flushed(), flushWithinMs);
    if (!this.#over) this.#end();
  }

  #endPosts(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#first);
    clearInterval(this.#pulse);
    this.expiry?.stop();
    this.parts.ended();
    for (const { exchange } of this.#held.splice(0)) complain(exchange, unknownSession);
    this.#waiting.resize(0);
  }

  #release(): void {
    this.#endPosts();
    this.#queue.stop();
  }
}
