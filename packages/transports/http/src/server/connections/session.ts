import type { JsonRpcMessage } from '@rxmcp/jsonrpc';
import type { ServedConnection, Traits, TransportError } from '@rxmcp/transport';
import type { CallerIdentity } from '@rxmcp/transport/guard';
import { complain, CredentialExpiry, type Headers, type HttpExchange } from '@rxmcp/transport/internal';
import { type ConnectionHost, HttpConnection } from './connection.js';
import { ResumableStreams } from '../streams/resumable-streams.js';
import type { LaneHost, PostLane } from '../lane.js';
import { resumeFrom } from '../streams/resume.js';
import { primesStreams } from '../revisions.js';
import type { EndpointContext } from '../create-endpoint-context.js';
import type { EventStore } from '../streams/event-store.js';
import type { StreamResumption } from '../streams/stream-host.js';
import { EventStream } from '../streams/event-stream.js';

/** The shortest delay before a client reconnects to the server that replaces this one, in milliseconds. */
const comeBackMs = 1_000;

/** The context of a session, with the table that it is in. */
export interface SessionTable extends EndpointContext {
  forget(session: Session): void;
  /** Whether all sessions end, not only this one. */
  isEnding(): boolean;
}

/** One session of a client that made a handshake. There may be thousands that do nothing, so it makes what it needs late. */
export class Session implements ConnectionHost, LaneHost {
  readonly connection: HttpConnection;
  readonly disconnectEnds = false;
  served: ServedConnection | undefined = undefined;
  /** What the handshake settled. */
  version: string | undefined = undefined;
  /** The client came back with its id. */
  used = false;
  /** Look-ups in the store that have not come back. */
  lookups = 0;
  lastTick: number;
  readonly principal: string | undefined;
  /** None for an anonymous caller. */
  readonly expiry: CredentialExpiry | undefined;
  /** Exchanges that are open. */
  #exchanges = 0;
  #standing: EventStream | undefined = undefined;
  /** The streams of requests that can be resumed, by name. */
  #kept: ResumableStreams | undefined = undefined;
  #prefix: string | undefined = undefined;
  #names = 0;

  constructor(
    readonly shared: SessionTable,
    readonly id: string,
    caller: CallerIdentity | undefined,
    traits: Traits,
  ) {
    this.principal = caller?.principal;
    this.lastTick = shared.sweep.tick;
    this.connection = new HttpConnection(traits, this);
    this.expiry = caller && this.#expiryOf(caller);
  }

  /** The name under which its memory is charged, and its events are stored. */
  get holder(): string {
    return this.connection.traits.holder ?? '';
  }

  /** For how many ticks the session has been idle. */
  get idleTicks(): number {
    return this.#exchanges === 0 ? this.shared.sweep.tick - this.lastTick : 0;
  }

  /** An exchange of it begins. */
  enter(): void {
    this.#exchanges += 1;
    this.lastTick = this.shared.sweep.tick;
  }

  push(text: string): Promise<void> {
    return this.#standingStream().send(text);
  }

  /** Serves a GET: the standing stream, or the rest of one that was cut. */
  listen(exchange: HttpExchange, lastEventId: string | undefined): void {
    const { store } = this.shared;
    if (lastEventId !== undefined && store !== undefined) {
      this.enter();
      resumeFrom(this, store, exchange, lastEventId);
      return;
    }
    const stream = this.#standingStream();
    if (stream.exchange !== undefined) {
      complain(exchange, {
        status: 405,
        message: 'this session has its stream already',
        headers: { allow: 'POST, DELETE, OPTIONS' },
      });
      return;
    }
    this.enter();
    stream.open(exchange);
  }

  /** The stream of that name, if it is one of this session; `over` when nothing more will come. */
  streamNamed(name: string): EventStream | 'over' | undefined {
    if (this.connection.isClosed) return undefined;
    if (this.#prefix === undefined || !name.startsWith(this.#prefix)) return undefined;
    if (this.#standing?.resumable?.name === name) return this.#standing;
    return this.#kept?.get(name) ?? 'over';
  }

  /** Lets the streams go that have been over for so many ticks. */
  forgetStreams(ticks: number): void {
    this.#kept?.forgetOver(this.shared.sweep.tick - ticks);
  }

  release(): void {
    this.expiry?.stop();
    this.shared.forget(this);
    this.shared.waiting.each((lane) => {
      if (lane.host === this) lane.drop((exchange) => complain(exchange, lost));
    });
    this.#kept?.stop();
    this.#kept = undefined;
    this.shared.streams.each((stream) => {
      if (stream.host === this) stream.lane?.drop(() => undefined);
    });
    // Where the server stops, clients may reconnect to its replacement; otherwise the session is over. The delay is random, so that
    // clients do not reconnect all at once.
    if (this.shared.isEnding()) {
      const retryMs = comeBackMs + Math.floor(Math.random() * 2 * comeBackMs);
      this.#standing?.exchange?.write(`retry: ${String(retryMs)}\n\n`);
    }
    this.#standing?.stop();
    const name = this.#standing?.resumable?.name;
    if (name !== undefined) this.shared.store?.deleteStream(name);
  }

  /** How a new stream can be resumed; undefined where nothing is stored, or too many are kept that are still open. */
  resumable(isStanding = false): StreamResumption | undefined {
    const { store } = this.shared;
    if (store === undefined || !(isStanding || this.reserve(store))) return undefined;
    // V8 makes it of 17 pieces of 32 bytes each; this joins them.
    this.#prefix ??= `${crypto.randomUUID()}.`.toLowerCase();
    this.#names += 1;
    const name = `${this.#prefix}${String(this.#names)}`;
    return { store, name, holder: this.holder, primes: primesStreams(this.version) };
  }

  /** Takes a place for a stream that can be resumed. */
  reserve(store: EventStore): boolean {
    return this.#keptIn(store).reserve();
  }

  /** The head of a stream is sent before the handshake is answered, so it names the session already. */
  get openingHeaders(): Headers | undefined {
    return this.version === undefined ? { 'mcp-session-id': this.id } : undefined;
  }

  opened(message: JsonRpcMessage): Headers | undefined {
    if (!('result' in message)) return undefined;
    const { protocolVersion } = message.result;
    this.version = typeof protocolVersion === 'string' ? protocolVersion : '';
    return { 'mcp-session-id': this.id };
  }

  streamOpened(stream: EventStream): void {
    const { resumable } = stream;
    if (resumable !== undefined) this.#keptIn(resumable.store).add(resumable.name, stream);
  }

  readerDisconnected(stream: EventStream): void {
    this.exchangeEnded();
    if (stream.resumable === undefined) stream.lane?.streamEnded();
  }

  streamFailed(stream: EventStream, error: TransportError): void {
    this.connection.fault(error);
    if (stream === this.#standing) this.#standing = undefined;
    stream.lane?.streamEnded();
  }

  laneClosed(lane: PostLane): void {
    this.connection.laneClosed(lane);
  }

  exchangeEnded(): void {
    this.#exchanges -= 1;
    this.lastTick = this.shared.sweep.tick;
    // No client has its id: the handshake failed, or the client did not wait for the response.
    if (this.version === undefined && this.#exchanges === 0) this.connection.end();
  }

  #expiryOf(caller: CallerIdentity): CredentialExpiry {
    const isCalling = (): boolean => this.#exchanges > (this.#standing?.exchange === undefined ? 0 : 1);
    return new CredentialExpiry(caller, () => this.connection.end(), isCalling);
  }

  #standingStream(): EventStream {
    return (this.#standing ??= new EventStream(this, this.resumable(true)));
  }

  #keptIn(store: EventStore): ResumableStreams {
    return (this.#kept ??= new ResumableStreams(store, this.shared.places, this.holder));
  }
}

/** The response to a client whose session has ended. */
export const lost = { status: 404, message: 'there is no such session' };
