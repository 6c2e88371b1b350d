import { eventText } from '@rxmcp/jsonrpc';
import { accepted, TransportError } from '@rxmcp/transport';
import type { Bounds } from './options.js';
import type { ExchangeOwner, Headers, HttpExchange } from './exchange.js';
import { eventStream } from './answers.js';
import type { Linked, Ring } from './ring.js';
import type { EventStore, Replay, StoredEvent } from './store.js';
import type { Sweep } from './sweep.js';

/** What a stream is part of. */
export interface StreamHost {
  readonly bounds: Bounds;
  readonly sweep: Sweep;
  /** The streams that somebody reads now. */
  readonly streams: Ring<EventStream>;
  /** Nobody reads the stream any more; it is kept if it can be resumed. */
  streamLeft(stream: EventStream, exchange: HttpExchange): void;
  /** The store failed it: it is over. */
  streamFailed(stream: EventStream, error: TransportError): void;
}

/** How a stream can be read again after a cut. */
export interface Resumable {
  readonly store: EventStore;
  /** Unique in the store. */
  readonly name: string;
  /** Its reader knows events that hold an id and no data. */
  readonly primes: boolean;
}

/** The requests that a stream answers. */
export interface StreamLane {
  /** Nobody will read the stream any more. */
  streamLeft(): void;
  /** Its connection is over. */
  drop(answer: (exchange: HttpExchange) => void): void;
}

const maxQueued = 1_024;
const maxQueuedBytes = 1024 * 1024;
const maxMissed = 64;
const maxMissedLength = 64 * 1024;
const none: readonly string[] = [];
/** Who goes on sending in spite of the pressure loses the stream. */
const patience = 16;

/** One logical stream of events: it outlives the exchanges it is read by. */
export class EventStream implements ExchangeOwner, Linked<EventStream> {
  before: EventStream | undefined = undefined;
  after: EventStream | undefined = undefined;
  exchange: HttpExchange | undefined = undefined;
  /** Nothing more will be sent. */
  finished = false;
  /** The requests it answers; none where it stands for itself. */
  lane: StreamLane | undefined = undefined;
  /** The tick of the last byte, or of the end. */
  lastTick = 0;
  private queued = 0;
  private full: Promise<void> | undefined = undefined;
  private release: (() => void) | undefined = undefined;
  /** What is being stored; later events wait for it. */
  private tail: Promise<void> | undefined = undefined;
  /** While a replay is being read, what is new waits here. */
  private held: StoredEvent[] | undefined = undefined;
  /** Its reader has seen an id, so that it can ask for what it missed. */
  private told = false;
  /** What a reader is owed that cannot ask for it. */
  private missed: string[] | undefined = undefined;
  private missedLength = 0;

  /** @param standing It waits for readers to come, and keeps a few messages for the first. */
  constructor(
    readonly host: StreamHost,
    readonly resumable: Resumable | undefined,
    private readonly standing = false,
  ) {}

  /** Begins a new answer with the stream. */
  open(exchange: HttpExchange, headers?: Headers): void {
    this.attach(exchange, headers);
    const { resumable } = this;
    if (resumable?.primes === true) this.store('', resumable).catch(() => undefined);
    else exchange.write(': open\n\n');
    const missed = this.missed ?? none;
    this.missed = undefined;
    this.missedLength = 0;
    for (const text of missed) void this.send(text).catch(() => undefined);
  }

  /** What is new is held back from now on, until {@link resume}. */
  hold(): void {
    this.held ??= [];
  }

  /** What was held back goes its usual way. */
  unhold(): void {
    const held = this.held ?? [];
    this.held = undefined;
    for (const { id, text } of held) void this.deliver(id, text);
  }

  /** Goes on with the stream for a client that comes back. */
  resume(exchange: HttpExchange, replay: Replay): void {
    this.attach(exchange);
    const events = this.held === undefined ? replay.events : [...replay.events, ...this.held];
    this.held = undefined;
    this.missed = undefined;
    this.missedLength = 0;
    const seen = new Set<string>();
    for (const { id, text } of events) {
      // A store may keep an event twice.
      if (seen.has(id)) continue;
      seen.add(id);
      if (text !== '') void this.write(eventText({ event: 'message', id, data: text }));
    }
    if (seen.size === 0) exchange.write(': open\n\n');
    this.settle();
  }

  /** Sends one message; resolves when its reader has room again. */
  send(text: string): Promise<void> {
    const { resumable } = this;
    if (this.standing && this.exchange === undefined && !this.told) return this.miss(text);
    if (resumable === undefined) return this.write(eventText({ event: 'message', data: text }));
    return this.store(text, resumable);
  }

  /** Nothing follows: the answer ends after what was sent. */
  finish(): void {
    if (this.tail === undefined) this.conclude();
    else this.tail = this.tail.then(() => this.conclude());
  }

  /** Shows proxies and the client that it lives. */
  keepAlive(): void {
    this.lastTick = this.host.sweep.tick;
    this.exchange?.write(': keep-alive\n\n');
  }

  /** Lets the present reader go; another may come. */
  detach(): void {
    const { exchange } = this;
    this.exchange = undefined;
    this.host.streams.remove(this);
    this.relieve();
    exchange?.end();
  }

  left(exchange: HttpExchange): void {
    if (this.exchange === exchange) {
      this.exchange = undefined;
      this.host.streams.remove(this);
      this.relieve();
    }
    this.host.streamLeft(this, exchange);
  }

  drained(exchange: HttpExchange): void {
    if (this.exchange === exchange) this.relieve();
  }

  stalled(exchange: HttpExchange): void {
    exchange.cut();
  }

  private attach(exchange: HttpExchange, headers: Headers = eventStream): void {
    if (this.exchange !== undefined) this.detach();
    this.exchange = exchange;
    this.lastTick = this.host.sweep.tick;
    exchange.owner = this;
    exchange.open(headers);
    if (!this.finished) this.host.streams.add(this);
  }

  /** Keeps a message for whoever comes, the latest few of them. */
  private miss(text: string): Promise<void> {
    const missed = (this.missed ??= []);
    missed.push(text);
    this.missedLength += text.length;
    while (missed.length > maxMissed || (this.missedLength > maxMissedLength && missed.length > 1)) {
      this.missedLength -= missed.shift()?.length ?? 0;
    }
    return accepted;
  }

  /** Stores first, so that what a client saw can be asked for again. */
  private store(text: string, { store, name }: Resumable): Promise<void> {
    let id: string | Promise<string>;
    try {
      if (this.tail === undefined) id = store.append(name, text);
      else id = this.tail.then(() => store.append(name, text));
      return typeof id === 'string' ? this.deliver(id, text) : this.storing(id, text);
    } catch (cause) {
      return this.failed(cause);
    }
  }

  private storing(id: Promise<string>, text: string): Promise<void> {
    let written = accepted;
    const stored = id.then((known) => {
      written = this.deliver(known, text);
    });
    // Whoever sends next waits for the storing, not for the reader.
    const tail: Promise<void> = stored
      .catch(() => undefined)
      .then(() => {
        if (this.tail === tail) this.tail = undefined;
      });
    this.tail = tail;
    return stored.then(
      () => written,
      (cause: unknown) => this.failed(cause),
    );
  }

  private failed(cause: unknown): Promise<never> {
    const error = new TransportError('SEND_FAILED', 'The event store failed; its stream is over.', {
      cause,
      outcome: 'not-sent',
    });
    if (!this.finished) {
      this.finished = true;
      this.exchange?.cut();
      this.host.streamFailed(this, error);
    }
    return Promise.reject(error);
  }

  private deliver(id: string, text: string): Promise<void> {
    if (this.held !== undefined) {
      this.held.push({ id, text });
      return accepted;
    }
    const { pollMs } = this.host.bounds;
    if (this.exchange !== undefined) this.told = true;
    if (text === '') {
      const retry = pollMs === undefined ? {} : { retry: pollMs };
      const written = this.write(eventText({ id, data: '', ...retry }));
      this.settle();
      return written;
    }
    return this.write(eventText({ event: 'message', id, data: text }));
  }

  private write(text: string): Promise<void> {
    const { exchange } = this;
    if (exchange === undefined) return accepted;
    this.lastTick = this.host.sweep.tick;
    if (exchange.write(text)) return accepted;
    this.queued += 1;
    const { queuedBytes } = exchange;
    if (this.queued < maxQueued && queuedBytes < maxQueuedBytes) return accepted;
    const { maxMessageBytes } = this.host.bounds;
    if (this.queued > maxQueued * patience || queuedBytes > maxQueuedBytes * patience + maxMessageBytes) {
      exchange.cut();
      return accepted;
    }
    if (this.full === undefined) {
      this.full = new Promise((resolve) => (this.release = resolve));
      exchange.stallsAfter(this.host.bounds.stallMs);
    }
    return this.full;
  }

  private relieve(): void {
    this.queued = 0;
    if (this.full === undefined) return;
    this.exchange?.stallsAfter(0);
    this.release?.();
    this.full = undefined;
    this.release = undefined;
  }

  /** After what there was: ends, or lets a client go that polls. */
  private settle(): void {
    if (this.finished) this.detach();
    else if (this.host.bounds.pollMs !== undefined && this.resumable?.primes === true) this.detach();
  }

  private conclude(): void {
    this.finished = true;
    this.lastTick = this.host.sweep.tick;
    this.detach();
  }
}
