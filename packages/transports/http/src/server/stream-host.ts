import type { TransportError } from '@rxmcp/transport';
import type { Budget } from '@rxmcp/transport/guard';
import type { HttpExchange } from './exchange.js';
import type { Bounds } from './options.js';
import type { Linked, Ring } from './ring.js';
import type { EventStore } from './store.js';
import type { Sweep } from './sweep.js';

/** What a stream is part of. `Stream` is the stream, of which this file knows nothing. */
export interface StreamHost<Stream extends Linked<Stream>> {
  readonly bounds: Bounds;
  readonly sweep: Sweep;
  /** The streams that somebody reads now. */
  readonly streams: Ring<Stream>;
  /** What may wait, over all streams, for readers who came back and read slowly. */
  readonly replays: Budget;
  /** Nobody reads the stream any more; it is kept if it can be resumed. */
  streamLeft(stream: Stream, exchange: HttpExchange): void;
  /** The store failed it: it is over. */
  streamFailed(stream: Stream, error: TransportError): void;
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
