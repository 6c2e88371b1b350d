import { decode, encode, EncodedMessage, WireError } from '@rxmcp/jsonrpc';
import { cloneJson } from '@rxmcp/jsonrpc/internal';
import { ChannelConnection, type WriteMessage } from './channel-connection.js';
import type { ChannelSource } from './carrier-contract.js';
import type { Connection, OutgoingMessage } from './contract.js';
import { notSentError } from './error.js';
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
export function createConnection(source: ChannelSource, traits: Traits): Connection {
  const { maxMessageBytes } = traits;
  const write: WriteMessage<string> = (carrier, out, envelope) => {
    const text = encoded(out);
    if (exceedsBytes(text, maxMessageBytes)) throw notSentError('TOO_LARGE', tooLarge(maxMessageBytes));
    return carrier.send(text, envelope);
  };
  return new ChannelConnection(source, write, traits);
}

/**
 * Turns a carrier of values into a lawful connection: as {@link createConnection}, but nothing is serialised. A finite
 * `traits.maxMessageBytes` is still held for what is sent, at the cost of encoding each message to measure it.
 */
export function createValueConnection(source: ChannelSource<OutgoingMessage>, traits: Traits): Connection {
  const { maxMessageBytes } = traits;
  const write: WriteMessage<OutgoingMessage> = (carrier, out, envelope) => carrier.send(out, envelope);
  if (!Number.isFinite(maxMessageBytes)) return new ChannelConnection(source, write, traits);
  const measured: WriteMessage<OutgoingMessage> = (carrier, out, envelope) => {
    if (exceedsBytes(encoded(out), maxMessageBytes))
      throw notSentError('TOO_LARGE', tooLarge(maxMessageBytes));
    return carrier.send(out, envelope);
  };
  return new ChannelConnection(source, measured, traits);
}

function encoded(out: OutgoingMessage): string {
  try {
    return encode(out);
  } catch (cause) {
    throw notSentError('SEND_FAILED', 'the message cannot be written as JSON', cause);
  }
}

function tooLarge(maxMessageBytes: number): string {
  return `the message is larger than ${String(maxMessageBytes)} bytes`;
}

/**
 * The value that a trip of a message through JSON would give, for carriers that hand over objects. Throws a
 * TransportError, SEND_FAILED and not sent, for what cannot be written as JSON, nests deeper than 128 or holds more
 * than 200,000 values.
 */
export function copyAsJson(message: OutgoingMessage): unknown {
  try {
    return message instanceof EncodedMessage ? decode(message.text) : cloneJson(message);
  } catch (cause) {
    // What an object of somebody else throws is for this side alone, and this text may reach the other one.
    const why = WireError.is(cause) ? `: ${cause.message}` : '.';
    throw notSentError('SEND_FAILED', `the message cannot be copied as JSON${why}`, cause);
  }
}
