import { type WireError } from '@rxmcp/jsonrpc';
import { type FaultReply, TransportError } from './error.js';

/** The fault of something unreadable, with the answer that the serving side owes for it, or whom it should have answered. */
export function wireFault(error: WireError): TransportError {
  const body = { code: error.rpcCode, message: error.message };
  const reply: FaultReply = error.id === undefined ? { error: body } : { id: error.id, error: body };
  // The peer of the core package ends the call that waits for it.
  const details = error.answers === undefined ? {} : { details: { answers: error.answers } };
  return new TransportError(error.code, error.message, { cause: error, reply, ...details });
}
