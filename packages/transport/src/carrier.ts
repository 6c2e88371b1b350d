import { cloneJson, decode, encode, Encoded, WireError } from '@rxmcp/jsonrpc';
import { CarriedConnection, type Write } from './carried-connection.js';
import type { Arrival, Connection, Envelope, Outgoing } from './contract.js';
import { notSent, type TransportError } from './error.js';
import { exceedsBytes } from './message-size.js';
import type { Traits } from './traits.js';

/**
 * What an author writes: one socket-like thing with one lane. `Form` is what it sends: the text of a message, or the
 * message itself where nothing is serialised.
 */
export interface Carrier<Form = string> {
  /** Begins reading. The sink may be fed at once, also from inside this call; reading before it is the carrier's to hold back. */
  start(sink: Sink): void;
  /**
   * Writes one message. Return nothing when the bytes were taken, or a promise of it: that is backpressure. While one waits, a
   * served side reads no further.
   */
  send(form: Form, envelope: Envelope | undefined): Promise<void> | void;
  /** Releases everything, whether it was started or not. Called at most once, and not after `sink.closed`. */
  close(): Promise<void> | void;
}

/** Where a carrier hands over what happens to it. Safe to call at any time, in any state, any number of times. */
export interface Sink {
  /** One whole message as text. Undecodable text becomes a fault with a `reply`. */
  text(text: string, arrival?: Arrival): void;
  /** One message that is a value already; its shape is not trusted. */
  value(value: unknown, arrival?: Arrival): void;
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
export type CarrierSource<Form = string> = Carrier<Form> | ((sink: Sink) => Carrier<Form>);

/**
 * Turns a carrier of texts into a lawful connection.
 *
 * The connection sees to it that nothing is delivered before or inside `start` or inside `send`, that `closed` comes once
 * and last, that `close` is idempotent and settles within 5 s, that sends after the end reject with `CLOSED` and waiting
 * ones settle, that messages over `traits.maxMessageBytes` are refused in either direction while the connection lives,
 * and that nothing a receiver or a carrier throws gets out. Throws a TypeError for a carrier that lacks a part.
 */
export function connectionOf(source: CarrierSource, traits: Traits): Connection {
  const { maxMessageBytes } = traits;
  const write: Write<string> = (carrier, out, envelope) => {
    const text = encoded(out);
    if (exceedsBytes(text, maxMessageBytes)) throw notSent('TOO_LARGE', tooLarge(maxMessageBytes));
    return carrier.send(text, envelope);
  };
  return new CarriedConnection(source, write, traits);
}

/**
 * Turns a carrier of values into a lawful connection: as {@link connectionOf}, but nothing is serialised. A finite
 * `traits.maxMessageBytes` is still held for what is sent, at the cost of encoding each message to measure it.
 */
export function connectionOfValues(source: CarrierSource<Outgoing>, traits: Traits): Connection {
  const { maxMessageBytes } = traits;
  const write: Write<Outgoing> = (carrier, out, envelope) => carrier.send(out, envelope);
  if (!Number.isFinite(maxMessageBytes)) return new CarriedConnection(source, write, traits);
  const measured: Write<Outgoing> = (carrier, out, envelope) => {
    if (exceedsBytes(encoded(out), maxMessageBytes)) throw notSent('TOO_LARGE', tooLarge(maxMessageBytes));
    return carrier.send(out, envelope);
  };
  return new CarriedConnection(source, measured, traits);
}

function encoded(out: Outgoing): string {
  try {
    return encode(out);
  } catch (cause) {
    throw notSent('SEND_FAILED', 'The message cannot be written as JSON.', cause);
  }
}

function tooLarge(maxMessageBytes: number): string {
  return `The message is larger than ${String(maxMessageBytes)} bytes.`;
}

/**
 * The value that a trip of a message through JSON would give, for carriers that hand over objects. Throws a
 * TransportError, SEND_FAILED and not sent, for what cannot be written as JSON, nests deeper than 128 or holds more
 * than 200,000 values.
 */
export function copiedJson(message: Outgoing): unknown {
  try {
    return message instanceof Encoded ? decode(message.text) : cloneJson(message);
  } catch (cause) {
    // What an object of somebody else throws is for this side alone, and this text may reach the other one.
    const why = WireError.is(cause) ? `: ${cause.message}` : '.';
    throw notSent('SEND_FAILED', `The message cannot be copied as JSON${why}`, cause);
  }
}
