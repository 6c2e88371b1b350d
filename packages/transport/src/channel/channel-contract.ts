import type { WireError } from '@rxmcp/jsonrpc';
import type { Lane, ReceiveInfo, SendOptions } from '../contract/contract.js';
import type { TransportError } from '../contract/error.js';

/**
 * Carries messages over one socket-like thing; authors of transports implement it. `Form` is what it sends: the text of a message,
 * or the message itself where nothing is serialised.
 */
export interface Channel<Form = string> {
  /** Begins to read. The channel may call the sink at once, also inside this call. It should not read before. */
  start(sink: Sink): void;
  /**
   * Writes one message. Return nothing when the bytes were accepted, or a promise that resolves once they are: that is
   * backpressure. While a promise is pending, a served side reads no further messages, see {@link Channel.pause}.
   */
  send(form: Form, options: SendOptions | undefined): Promise<void> | void;
  /**
   * Releases what carries a lane. Called once for each lane that ends on this side: `isAnswered` where the response to its request
   * was sent or received, otherwise the lane was cancelled and the other side must be notified. Needed where traits say that
   * each request has its own lane.
   */
  endLane?(lane: Lane, isAnswered: boolean): void;
  /** Stops reading until {@link Channel.resume}. Called on a served side (`isServer`) while a send waits. */
  pause?(): void;
  /** Reads again. */
  resume?(): void;
  /**
   * Releases all resources, also where the channel was never started. Called at most once, and not after `sink.closed`. With an
   * error where the connection ends with it, such as `STALLED` without a first message: then the other side must not take the end for an orderly one.
   */
  close(error?: TransportError): Promise<void> | void;
}

/**
 * Receives what happens on a channel. Every method may be called at any time, in any state, any number of times, and passed as a
 * function. What is reported before `start` is kept until then: at most 4,096 messages and 64 MiB.
 */
export interface Sink {
  /** Delivers one whole message as text. Text that cannot be decoded becomes a fault with a `reply`. */
  text(text: string, info?: ReceiveInfo): void;
  /** Delivers one whole message as UTF-8, which the caller may reuse afterwards. */
  bytes(utf8: Uint8Array, info?: ReceiveInfo): void;
  /** Delivers one message that is already a value; its shape is not trusted. `heldBytes` is the memory that it takes. */
  value(value: unknown, info?: ReceiveInfo, heldBytes?: number): void;
  /** Reports that the other side ended a lane, with an error when it was cut. No effect on a lane that has ended or is unknown. */
  laneClosed(lane: Lane, error?: TransportError): void;
  /** Reports an error that does not end the connection. That of a reader, such as `LineReader`, becomes a fault with a `reply`. */
  fault(error: TransportError | WireError): void;
  /**
   * Reports the end of the channel, with its cause unless it ended in order. On the dialling side, use `PEER_CLOSED` for an orderly
   * end by the peer after which the client should dial again; without an error the client does not.
   */
  closed(error?: TransportError): void;
}

/**
 * Provides a channel, or a function that creates one with the sink of its connection. Pass a function where the channel can end
 * before `start`: a listener that is added in `start` would miss that end, and the connection would never close.
 */
export type ChannelSource<Form = string> = Channel<Form> | ((sink: Sink) => Channel<Form>);

/** Options of a connection over a channel. */
export interface ConnectionOptions {
  /** Whether the other side dialled. A served side calls {@link Channel.pause} while a send waits. @default false */
  readonly isServer?: boolean;
  /**
   * How long it may take from `start` until the first message is read, in milliseconds, before the end with `STALLED`. A served side
   * whose own sends wait reads nothing. @default Infinity
   */
  readonly firstMessageTimeoutMs?: number;
}
