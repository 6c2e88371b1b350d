import type { ReceiveInfo, SendOptions } from './contract.js';
import type { TransportError } from './error.js';

/**
 * Carries messages over one socket-like thing with one lane; authors of transports implement it. `Form` is what it sends: the
 * text of a message, or the message itself where nothing is serialised.
 */
export interface Channel<Form = string> {
  /** Begins to read. The channel may call the sink at once, also inside this call. It must not read before. */
  start(sink: Sink): void;
  /**
   * Writes one message. Return nothing when the bytes were accepted, or a promise that resolves once they are: that is
   * backpressure. While a promise is pending, a served side reads no further messages.
   */
  send(form: Form, options: SendOptions | undefined): Promise<void> | void;
  /** Releases all resources, also where the channel was never started. Called at most once, and not after `sink.closed`. */
  close(): Promise<void> | void;
}

/** Receives what happens on a channel. Every method may be called at any time, in any state, any number of times. */
export interface Sink {
  /** Delivers one whole message as text. Text that cannot be decoded becomes a fault with a `reply`. */
  text(text: string, info?: ReceiveInfo): void;
  /** Delivers one message that is already a value; its shape is not trusted. `heldBytes` is the memory that it takes. */
  value(value: unknown, info?: ReceiveInfo, heldBytes?: number): void;
  /** Reports an error that does not end the connection. */
  fault(error: TransportError): void;
  /**
   * Reports the end of the channel, with its cause unless it ended in order. On the dialling side, use `PEER_CLOSED` for an orderly
   * end by the peer after which the client should dial again; without an error the client does not. An end that is reported
   * before `start` is kept until `start`; everything else is dropped.
   */
  closed(error?: TransportError): void;
}

/**
 * Provides a channel, or a function that creates one with the sink of its connection. Pass a function where the channel can end
 * before `start`: a listener that is added in `start` would miss that end, and the connection would never close.
 */
export type ChannelSource<Form = string> = Channel<Form> | ((sink: Sink) => Channel<Form>);
