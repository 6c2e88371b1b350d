import { encodeSseEvent } from '@rxmcp/jsonrpc/internal';
import type { MemoryBudget, Traits, TransportError } from '@rxmcp/transport';
import type { HttpExchange } from '@rxmcp/transport/internal';
import type { HttpLimits } from '../options.js';
import type { ListNode, IntrusiveList } from '../intrusive-list.js';
import type { EventStore } from './event-store.js';
import type { Sweep } from '../sweep.js';

/** What the streams of one endpoint share. */
export interface StreamContext<Stream extends ListNode<Stream>> {
  readonly bounds: HttpLimits;
  readonly sweep: Sweep;
  /** The streams that are read now. */
  readonly streams: IntrusiveList<Stream>;
  /** Charged for what readers leave unread, and for large responses until their clients have read them. */
  readonly memory: MemoryBudget;
}

/** What a stream is part of. `Stream` is the type of that stream. */
export interface StreamHost<Stream extends ListNode<Stream>> {
  readonly shared: StreamContext<Stream>;
  /** Names who is charged, and receives what went wrong with a reader. */
  readonly connection: { readonly traits: Pick<Traits, 'holder'>; fault(error: TransportError): void };
  /** The reader of a stream has disconnected; the stream is kept if it can be resumed. */
  readerDisconnected(stream: Stream, exchange: HttpExchange): void;
  /** The store failed it: it is over. */
  streamFailed(stream: Stream, error: TransportError): void;
}

/** How a stream can be read again after a cut. */
export interface StreamResumption {
  readonly store: EventStore;
  /** Unique in the store. */
  readonly name: string;
  /** The caller that receives the stream. */
  readonly holder: string;
  /** Its reader knows events that hold an id and no data. */
  readonly primes: boolean;
}

/** The requests that a stream answers. */
export interface StreamLane {
  /** Whether a response is still to come. */
  readonly isOpen: boolean;
  /** The stream has ended and cannot be resumed. */
  streamEnded(): void;
  /** The connection of the stream has ended. */
  drop(respond: (exchange: HttpExchange) => void): void;
}

/** How many ticks a stream without new events stays open for a reader that came back: more than one second, at most two. */
export const earlyTicks = 2;

/** The event that a stream begins with: it gives the reader an id to resume with and the delay before it does. */
export function primingEvent(id: string, pollIntervalMs: number | undefined): string {
  return encodeSseEvent({ id, data: '', ...(pollIntervalMs === undefined ? {} : { retry: pollIntervalMs }) });
}
