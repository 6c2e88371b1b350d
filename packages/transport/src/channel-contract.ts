import type { ReceiveInfo, SendOptions } from './contract.js';
import type { TransportError } from './error.js';

/**
 * What an author writes: one socket-like thing with one lane. `Form` is what it sends: the text of a message, or the
 * message itself where nothing is serialised.
 */
export interface Channel<Form = string> {
  /** Begins reading. The sink may be fed at once, also from inside this call; reading before it is the carrier's to hold back. */
  start(sink: Sink): void;
  /**
   * Writes one message. Return nothing when the bytes were taken, or a promise of it: that is backpressure. While one waits, a
   * served side reads no further.
   */
  send(form: Form, options: SendOptions | undefined): Promise<void> | void;
  /** Releases everything, whether it was started or not. Called at most once, and not after `sink.closed`. */
  close(): Promise<void> | void;
}

/** Where a carrier hands over what happens to it. Safe to call at any time, in any state, any number of times. */
export interface Sink {
  /** One whole message as text. Undecodable text becomes a fault with a `reply`. */
  text(text: string, info?: ReceiveInfo): void;
  /** One message that is a value already; its shape is not trusted. */
  value(value: unknown, info?: ReceiveInfo): void;
  /** Something non-fatal. */
  fault(error: TransportError): void;
  /**
   * The carrier is gone; with its cause unless it ended in order. On the side that dialled, an end that it did not ask for is
   * `PEER_CLOSED` if the client should dial again: without an error it ends for good. Told before `start` it is kept until
   * then; nothing else is.
   */
  closed(error?: TransportError): void;
}

/**
 * A carrier, or what makes it around the sink of its connection. Make it that way where its end can come before `start`:
 * who listens for it in `start` only misses it, and its connection never ends.
 */
export type ChannelSource<Form = string> = Channel<Form> | ((sink: Sink) => Channel<Form>);
