import { cloneJson, decode, Encoded, WireError } from '@rxmcp/jsonrpc';
import type { Outgoing } from './contract.js';
import { notSent } from './not-sent.js';

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
