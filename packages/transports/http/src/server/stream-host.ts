import type { TransportError } from '@rxmcp/transport';
import type { HttpExchange } from '@rxmcp/transport/guard';
import type { Shared } from './settle-options.js';
import type { EventStore } from './store.js';
import type { EventStream } from './stream.js';

/** What a stream is part of. */
export interface StreamHost {
  readonly shared: Shared;
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
