import { type WireError } from '@rxmcp/jsonrpc';
import { type FaultReply, TransportError } from './error.js';

/** The fault of something unreadable, with the answer that the serving side owes for it. */
export function wireFault(error: WireError): TransportError {
  const body = { code: error.rpcCode, message: error.message };
  const reply: FaultReply = error.id === undefined ? { error: body } : { id: error.id, error: body };
  return new TransportError(error.code, error.message, { cause: error, reply });
}
