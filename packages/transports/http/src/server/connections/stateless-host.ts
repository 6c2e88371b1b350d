import { notSentError, type ServedConnection, type Traits } from '@rxmcp/transport';
import { interrupted } from '@rxmcp/transport/internal';
import { type ConnectionHost, HttpConnection } from './connection.js';
import type { LaneHost, PostLane } from '../lane.js';
import type { EndpointContext } from '../create-endpoint-context.js';
import type { EventStream } from '../streams/event-stream.js';

/** A connection of requests without a session, of all callers or of one principal. Like a session it ends when idle; the next request opens another. */
export class StatelessHost implements ConnectionHost, LaneHost {
  readonly connection: HttpConnection;
  readonly served: ServedConnection;
  readonly disconnectEnds = true;
  #lastTick: number;
  /** Exchanges that are open. */
  #exchanges = 0;

  /** @param ended Called once it is over; the next request needs another. */
  constructor(
    readonly shared: EndpointContext,
    traits: Traits,
    private readonly ended: () => void,
  ) {
    this.#lastTick = shared.sweep.tick;
    this.connection = new HttpConnection(traits, this);
    shared.sweep.wake();
    this.served = shared.handler.accept(this.connection);
  }

  /** The tick since which it has been idle; `Infinity` while an exchange is open. */
  get idleSince(): number {
    return this.#exchanges === 0 ? this.#lastTick : Infinity;
  }

  /** Ends it once it has been idle as long as a session may be. Returns in how many ticks to run again. */
  sweep(): number {
    const { sweep, bounds } = this.shared;
    const left = bounds.idleTicks - Math.max(0, sweep.tick - this.idleSince);
    if (left > 0) return left;
    this.connection.end();
    return Infinity;
  }

  enter(): void {
    this.#exchanges += 1;
    this.noted();
  }

  noted(): void {
    this.#lastTick = this.shared.sweep.tick;
  }

  push(): Promise<void> {
    const message =
      'the message has no recipient: without sessions a client is connected only during its requests';
    return Promise.reject(notSentError('SEND_FAILED', message));
  }

  release(): void {
    this.ended();
    this.shared.waiting.each((lane) => {
      if (lane.host === this)
        lane.drop((exchange) => interrupted(exchange, 'the connection of this request was closed'));
    });
    this.shared.streams.each((stream) => {
      if (stream.host === this) stream.lane?.drop(() => undefined);
    });
  }

  resumable(): undefined {
    return undefined;
  }

  get openingHeaders(): undefined {
    return undefined;
  }

  opened(): undefined {
    return undefined;
  }

  streamOpened(): void {
    // Such a stream cannot be resumed.
  }

  readerDisconnected(stream: EventStream): void {
    this.exchangeEnded();
    stream.lane?.streamEnded();
  }

  streamFailed(): void {
    // Nothing is stored.
  }

  laneClosed(lane: PostLane): void {
    this.connection.laneClosed(lane);
  }

  exchangeEnded(): void {
    this.#exchanges -= 1;
    this.noted();
  }
}
