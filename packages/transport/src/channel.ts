import { decode, encode, EncodedMessage, WireError } from '@rxmcp/jsonrpc';
import { cloneJson } from '@rxmcp/jsonrpc/internal';
import { ChannelConnection, type WriteMessage } from './channel-connection.js';
import type { ChannelSource } from './channel-contract.js';
import type { Connection, OutgoingMessage } from './contract.js';
import { notSentError } from './error.js';
import { exceedsBytes } from './message-size.js';
import type { Traits } from './traits.js';

/**
 * Creates a {@link Connection} from a channel that sends texts.
 *
 * The connection guarantees that:
 * - nothing is delivered before `start`, and nothing inside a call of `start` or `send`;
 * - `closed` is called once and last;
 * - `close` is idempotent and settles within 5 s;
 * - a send after the end rejects with `CLOSED`, and waiting sends settle;
 * - a message over `traits.maxMessageBytes` is rejected in either direction with `TOO_LARGE`, and the connection stays open;
 * - errors that a receiver or a channel throws do not propagate.
 *
 * @throws TypeError for a channel that lacks `start`, `send` or `close`.
 */
export function createConnection(source: ChannelSource, traits: Traits): Connection {
  const { maxMessageBytes } = traits;
  const write: WriteMessage<string> = (channel, out, options) => {
    const text = encoded(out);
    if (exceedsBytes(text, maxMessageBytes)) throw notSentError('TOO_LARGE', tooLarge(maxMessageBytes));
    return channel.send(text, options);
  };
  return new ChannelConnection(source, write, traits);
}

/**
 * Creates a {@link Connection} from a channel that sends values, with the guarantees of {@link createConnection} but without
 * serialising. A finite `traits.maxMessageBytes` limits sent messages, at the cost of encoding each message to measure it.
 */
export function createValueConnection(source: ChannelSource<OutgoingMessage>, traits: Traits): Connection {
  const { maxMessageBytes } = traits;
  const write: WriteMessage<OutgoingMessage> = (channel, out, options) => channel.send(out, options);
  if (!Number.isFinite(maxMessageBytes)) return new ChannelConnection(source, write, traits);
  const measured: WriteMessage<OutgoingMessage> = (channel, out, options) => {
    if (exceedsBytes(encoded(out), maxMessageBytes))
      throw notSentError('TOO_LARGE', tooLarge(maxMessageBytes));
    return channel.send(out, options);
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
 * Returns a copy of a message, as if it had been encoded as JSON and decoded, for channels that pass objects. Throws a
 * TransportError `SEND_FAILED` with the outcome `not-sent` for a message that cannot be written as JSON, is nested deeper than
 * 128 or has more than 200,000 values.
 */
export function copyAsJson(message: OutgoingMessage): unknown {
  try {
    return message instanceof EncodedMessage ? decode(message.text) : cloneJson(message);
  } catch (cause) {
    // An error that user code throws must stay on this side, and this message may reach the other side.
    const why = WireError.is(cause) ? `: ${cause.message}` : '.';
    throw notSentError('SEND_FAILED', `the message cannot be copied as JSON${why}`, cause);
  }
}
