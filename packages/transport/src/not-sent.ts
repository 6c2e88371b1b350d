import { TransportError, type TransportErrorCode } from './error.js';

/** The failure of a send that certainly left nothing on the wire. */
export function notSent(code: TransportErrorCode, message: string, cause?: unknown): TransportError {
  return new TransportError(code, message, { cause, outcome: 'not-sent' });
}
