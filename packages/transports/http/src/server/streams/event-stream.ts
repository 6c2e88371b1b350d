import { encodeSseEvent } from '@rxmcp/jsonrpc/internal';
import { acceptedImmediately, notSentError, TransportError } from '@rxmcp/transport';
import {
  eventStream,
  type ExchangeOwner,
  type Headers,
  type HttpExchange,
  unreadOutputOf,
  utf8Bytes,
  watchUnreadResponse,
} from '@rxmcp/transport/internal';
import { ReaderBacklog } from './reader-backlog.js';
import { RecentMessages, ReplayQueue } from './replay-queue.js';
import type { ListNode } from '../intrusive-list.js';
import type { EventReplay } from './event-store.js';
import { type Appended, StoreQueue } from './store-queue.js';
import type { StreamHost, StreamLane, StreamResumption } from './stream-host.js';
import { earlyTicks, primingEvent } from './stream-host.js';

/** One logical stream of events: it outlives the exchanges it is read by. */
export class EventStream implements ExchangeOwner, Appended, ListNode<EventStream> {
  before: EventStream | undefined = undefined;
  after: EventStream | undefined = undefined;
  exchange: HttpExchange | undefined = undefined;
  /** Nothing more will be sent. */
  finished = false;
  /** The requests it answers; none where it stands for itself. */
  lane: StreamLane | undefined = undefined;
  /** The tick of the last byte, or of the end. */
  lastTick = 0;
  #readerBacklog: ReaderBacklog | undefined = undefined;
  /** What waits for the store, or for a replay. */
  #queue: StoreQueue | undefined = undefined;
  /** True once a reader received an event id, so that it can resume the stream. */
  #hasSentId = false;
  /** What a reader is owed that cannot ask for it. */
  #missed: RecentMessages | undefined = undefined;
  /** What a reader who came back has not taken yet; what is new comes after it. */
  #rest: ReplayQueue | undefined = undefined;
  /** The tick at which its reader, who polls, came back to nothing new. */
  early: number | undefined = undefined;

  constructor(
    readonly host: StreamHost<EventStream>,
    readonly resumable: StreamResumption | undefined,
  ) {}

  /** Begins a new response with the stream. */
  open(exchange: HttpExchange, headers?: Headers): void {
    this.#attach(exchange, headers);
    const { resumable } = this;
    if (resumable?.primes === true)
      this.#queueOf(resumable)
        .append('', this)
        .catch(() => undefined);
    else exchange.write(': open\n\n');
    for (const text of this.#missed?.take() ?? []) void this.send(text).catch(() => undefined);
  }

  /** What is new is held back from now on, until {@link resume}. */
  hold(): void {
    if (this.resumable !== undefined) this.#queueOf(this.resumable).hold();
  }

  /** What was held back goes its usual way. */
  unhold(): void {
    for (const { id, text } of this.#queue?.takeFresh() ?? []) void this.deliver(id, text);
  }

  /** Resumes the stream for a client that reconnects. */
  resume(exchange: HttpExchange, replay: EventReplay): void {
    this.#attach(exchange);
    this.#missed?.take();
    this.#rest = new ReplayQueue([...replay.events, ...(this.#queue?.takeFresh() ?? [])]);
    this.early = this.#rest.isEmpty && this.#polls ? this.lastTick : undefined;
    if (this.#rest.isEmpty) exchange.write(': open\n\n');
    this.#feed(exchange, this.#rest);
  }

  /** Sends one message; resolves when its reader has room again. */
  send(text: string): Promise<void> {
    const { resumable } = this;
    // The stream of a session waits for readers to come, and keeps a few messages for the first.
    if (this.lane === undefined && this.exchange === undefined && !this.#hasSentId) {
      const { shared, connection } = this.host;
      (this.#missed ??= new RecentMessages(shared.memory, connection.traits)).add(text);
      return acceptedImmediately;
    }
    if (resumable === undefined) return this.#write(encodeSseEvent({ event: 'message', data: text }));
    return this.#queueOf(resumable).append(text, this);
  }

  /** Charges for a message before it is sent. Returns false where the memory of the caller does not suffice. */
  reserve(text: string): boolean {
    const { exchange } = this;
    const rest = this.#rest;
    if (exchange === undefined) return true;
    const waiting = exchange.queuedBytes + (rest?.chars ?? 0);
    return unreadOutputOf(exchange, this.host.shared.memory).hold(waiting + utf8Bytes(text));
  }

  /** Nothing follows: the response ends after what was sent. */
  finish(): void {
    if (this.#queue === undefined) this.#conclude();
    else this.#queue.settled(() => this.#conclude());
  }

  /** Shows proxies and the client that it lives. */
  keepAlive(tick: number): void {
    this.lastTick = tick;
    this.exchange?.write(': keep-alive\n\n');
  }

  /** Ends the wait of a client that polled and found no new events. */
  endEmptyPoll(tick: number): void {
    if (this.early !== undefined && tick - this.early >= earlyTicks) this.#settle(true);
  }

  /** Ends the stream at once: not even what waits for the reader is sent. */
  stop(): void {
    this.#letGo();
    this.#missed?.take();
    this.finish();
  }

  ended(exchange: HttpExchange): void {
    if (this.exchange === exchange) this.#clear();
    this.host.readerDisconnected(this, exchange);
  }

  drained(exchange: HttpExchange): void {
    if (this.exchange !== exchange) return;
    if (this.#rest === undefined) this.#relieve();
    else this.#feed(exchange, this.#rest);
  }

  stalled(exchange: HttpExchange): void {
    exchange.cut();
  }

  #attach(exchange: HttpExchange, headers: Headers = eventStream): void {
    this.#replaced();
    this.exchange = exchange;
    this.host.shared.sweep.wake();
    this.lastTick = this.host.shared.sweep.tick;
    exchange.owner = this;
    exchange.open(headers);
    if (!this.finished) this.host.shared.streams.add(this);
  }

  /** Ends the current reader, since a new one replaces it. A reader that lags is destroyed, which releases what waits for it. */
  #replaced(): void {
    const { exchange } = this;
    if (exchange === undefined) return;
    const isBehind = this.#rest !== undefined || exchange.queuedBytes > 0;
    this.#clear();
    if (isBehind) exchange.cut();
    else exchange.end();
  }

  /** Lets the present reader go once it has what was sent; another may come. */
  #detach(): void {
    const { exchange } = this;
    this.#clear();
    if (exchange === undefined) return;
    exchange.end();
    watchUnreadResponse(exchange, this.host.shared.bounds.writeTimeoutMs);
  }

  /** The stream has no reader now. */
  #clear(): void {
    this.#letGo();
    this.#relieve();
    this.early = undefined;
    this.exchange = undefined;
    this.host.shared.streams.remove(this);
  }

  #letGo(): void {
    this.#rest?.drop();
    this.#rest = undefined;
  }

  /** Writes a replay as long as its reader accepts it. */
  #feed(exchange: HttpExchange, rest: ReplayQueue): void {
    for (let event = rest.next(); event !== undefined; event = rest.next()) {
      this.lastTick = this.host.shared.sweep.tick;
      if (exchange.write(encodeSseEvent({ event: 'message', id: event.id, data: event.text }))) continue;
      // A reader that is cut has a place to come back to, from which there is less to send.
      if (this.#backlog.charge(exchange, rest.chars))
        exchange.stallsAfter(this.host.shared.bounds.writeTimeoutMs);
      return;
    }
    exchange.stallsAfter(0);
    this.#letGo();
    this.#relieve();
    this.#settle(this.early === undefined);
  }

  #queueOf(resumable: StreamResumption): StoreQueue {
    return (this.#queue ??= new StoreQueue(this.host.shared.memory, resumable));
  }

  /** Ends, since an event could not be stored. */
  failed(cause: unknown): Promise<never> {
    const error =
      TransportError.is(cause) && cause.code === 'OVERFLOW'
        ? cause
        : notSentError('SEND_FAILED', 'the event store failed, which ended the stream', cause);
    if (!this.finished) {
      this.finished = true;
      this.#missed?.take();
      this.exchange?.cut();
      this.host.streamFailed(this, error);
    }
    return Promise.reject(error);
  }

  /** Sends an event that is stored. */
  deliver(id: string, text: string): Promise<void> {
    if (this.#queue?.isHolding === true) {
      try {
        this.#queue.keepFresh({ id, text });
        return acceptedImmediately;
      } catch (cause) {
        return this.failed(cause);
      }
    }
    const { exchange } = this;
    const rest = this.#rest;
    if (exchange !== undefined) this.#hasSentId = true;
    if (exchange !== undefined && rest !== undefined) {
      rest.add({ id, text });
      return this.#countWaiting(exchange);
    }
    const primes = text === '' && primingEvent(id, this.host.shared.bounds.pollIntervalMs);
    const written = this.#write(primes || encodeSseEvent({ event: 'message', id, data: text }));
    if (primes || this.early !== undefined) this.#settle(true);
    return written;
  }

  #write(text: string): Promise<void> {
    const { exchange } = this;
    if (exchange === undefined) return acceptedImmediately;
    this.lastTick = this.host.shared.sweep.tick;
    const isTaken = exchange.write(text) && this.#readerBacklog?.isCut !== true;
    return isTaken ? acceptedImmediately : this.#countWaiting(exchange);
  }

  /** Counts a message that waits for the reader. Over the limit, sends wait too. */
  #countWaiting(exchange: HttpExchange): Promise<void> {
    // The last response is not charged here: it is short, or was reserved.
    const isLast = this.lane?.isOpen === false;
    if (!isLast) this.#backlog.charge(exchange, this.#rest?.chars ?? 0);
    return this.#backlog.add(exchange);
  }

  /** Created for the first message that waits: most readers never lag. */
  get #backlog(): ReaderBacklog {
    return (this.#readerBacklog ??= new ReaderBacklog(this.host));
  }

  #relieve(): void {
    this.#readerBacklog?.relieve(this.exchange);
  }

  /** After what there was: ends, or lets a client go that polls. */
  #settle(hasAll: boolean): void {
    if (this.finished || (hasAll && this.#polls)) this.#detach();
  }

  /** Whether a reader is disconnected as soon as it has all events. */
  get #polls(): boolean {
    return this.host.shared.bounds.pollIntervalMs !== undefined && this.resumable?.primes === true;
  }

  #conclude(): void {
    this.finished = true;
    // It may be kept for minutes.
    this.lane = undefined;
    if (this.#queue?.isHolding === false) this.#queue = undefined;
    this.lastTick = this.host.shared.sweep.tick;
    if (this.#rest === undefined) this.#detach();
  }
}
