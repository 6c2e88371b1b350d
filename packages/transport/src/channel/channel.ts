import { decode, encode, EncodedMessage, WireError } from '@rxmcp/jsonrpc';
import { cloneJson } from '@rxmcp/jsonrpc/internal';
import { ChannelConnection, type WriteMessage } from './channel-connection.js';
import type { ChannelSource, ConnectionOptions } from './channel-contract.js';
import type { Connection, OutgoingMessage } from '../contract/contract.js';
import { notSentError } from '../contract/error.js';
import { exceedsBytes } from '../base/message-size.js';
import type { Traits } from '../contract/traits.js';

/**
 * Creates a {@link Connection} from a channel that sends texts.
 *
 * The connection guarantees that:
 * - nothing is delivered before `start`, and nothing inside a call of `start` or `send`; what arrives before `start` is kept;
 * - `closed` is called once and last;
 * - where each request has its own lane, `laneClosed` is called at most once for a lane, last in it, and only before its response;
 * - `close` is idempotent and settles within 5 s;
 * - a send after the end rejects with `CLOSED`, and waiting sends settle;
 * - a message over `traits.maxMessageBytes` is rejected in either direction with `TOO_LARGE`, and the connection stays open;
 * - errors that a receiver or a channel throws do not propagate.
 * @throws TypeError for a channel that lacks `start`, `send` or `close`
 */
export function createConnection(
  source: ChannelSource,
  traits: Traits,
  options?: ConnectionOptions,
): Connection {
  const { maxMessageBytes } = traits;
  const write: WriteMessage<string> = (channel, out, sendOptions) => {
    const text = encoded(out);
    if (exceedsBytes(text, maxMessageBytes)) throw notSentError('TOO_LARGE', tooLarge(maxMessageBytes));
    return channel.send(text, sendOptions);
  };
  return new ChannelConnection(source, write, traits, options);
}

/**
 * Creates a {@link Connection} from a channel that sends values, with the guarantees of {@link createConnection} but without
 * serialising. A finite `traits.maxMessageBytes` limits sent messages, at the cost of encoding each message to measure it.
 */
export function createValueConnection(
  source: ChannelSource<OutgoingMessage>,
  traits: Traits,
  options?: ConnectionOptions,
): Connection {
  const { maxMessageBytes } = traits;
  const write: WriteMessage<OutgoingMessage> = (channel, out, sendOptions) => channel.send(out, sendOptions);
  if (!Number.isFinite(maxMessageBytes)) return new ChannelConnection(source, write, traits, options);
  const measured: WriteMessage<OutgoingMessage> = (channel, out, sendOptions) => {
    if (exceedsBytes(encoded(out), maxMessageBytes))
      throw notSentError('TOO_LARGE', tooLarge(maxMessageBytes));
    return channel.send(out, sendOptions);
  };
  return new ChannelConnection(source, measured, traits, options);
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
