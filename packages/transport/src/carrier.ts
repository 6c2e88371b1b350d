import { cloneJson, decode, encode, Encoded, WireError } from '@rxmcp/jsonrpc';
import { CarriedConnection, type Write } from './carried-connection.js';
import type { CarrierSource } from './carrier-contract.js';
import type { Connection, Outgoing } from './contract.js';
import { notSent } from './error.js';
import { exceedsBytes } from './message-size.js';
import type { Traits } from './traits.js';

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
