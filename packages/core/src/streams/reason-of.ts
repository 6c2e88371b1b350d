import { McpError } from '../errors.js';

/** Why a signal aborted, as an error. */
export function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new McpError('CANCELLED', String(signal.reason));
}
