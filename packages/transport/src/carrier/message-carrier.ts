import type { WireError } from '@rxmcp/jsonrpc';
import type { ConnectionOptions } from '../channel/channel-contract.js';
import type { TransportError } from '../contract/error.js';
import type { Traits } from '../contract/traits.js';

/**
 * Carries whole messages to one other side, in order, and accepts each at once: a message port, a child process, a
 * BroadcastChannel, two topics of a broker.
 */
export interface MessageCarrier {
  /**
   * Posts one text to the other side. A returned promise is backpressure too. An error that it throws or rejects with ends the
   * connection with `CONNECTION_LOST`.
   */
  post(text: string): Promise<void> | void;
  /**
   * Begins to listen. Called once, when the connection is made, so that neither a message nor an end is missed before `start`.
   *
   * @returns A function that stops listening and releases all resources. Called once.
   */
  listen(events: CarrierEvents): () => Promise<void> | void;
  /**
   * Returns the size of a message that is not a text, in characters of JSON. Throws a WireError for one that is rejected. Needed
   * where messages arrive as values; without it a value is a fault.
   */
  measure?(value: unknown): number;
}

/** Receives what happens on a {@link MessageCarrier}. Each may be called at any time and passed as a function. */
export interface CarrierEvents {
  /** Delivers what the other side has posted. Its shape is not trusted. */
  message(data: unknown): void;
  /** Reports a message that was lost on this side, which ends nothing. */
  fault(error: TransportError | WireError): void;
  /** Reports the end of the carrier. Without a close message of the other side it ends the connection with `CONNECTION_LOST` and this cause. */
  closed(cause?: unknown): void;
}

/** Options of {@link fromMessages}. Both sides must use the same `maxUnreadMessages` and `heartbeatIntervalMs`. */
export interface FromMessagesOptions extends ConnectionOptions {
  /** Overrides of `pipeTraits`. @default {} */
  readonly traits?: Partial<Traits>;
  /** How many messages may be unread before sends wait. They also wait beyond 1 MiB. @default 1024 */
  readonly maxUnreadMessages?: number;
  /**
   * How often each side posts that it is alive, in milliseconds. A side that receives nothing four times in a row ends the
   * connection with `CONNECTION_LOST`. `Infinity` where the carrier reports every end. Heartbeats do not keep the process alive: the
   * carrier does, or does not. @default 15000
   */
  readonly heartbeatIntervalMs?: number;
  /** How long to wait for the other side to read before the connection ends with `STALLED`, in milliseconds. @default 30000 */
  readonly writeTimeoutMs?: number;
  /** How long a close waits until the other side has read everything before it, in milliseconds. @default 1000 */
  readonly closeTimeoutMs?: number;
  /**
   * Whether the other side does not use `fromMessages` and understands only messages of the protocol. Then sends never wait, there
   * are no heartbeats, and an end without a cause is orderly. @default false
   */
  readonly protocolOnly?: boolean;
}
