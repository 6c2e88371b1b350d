import { RxmcpError } from './errors.js';

/** Returns the reason of an aborted signal as an error. */
export function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new RxmcpError('CANCELLED', String(signal.reason));
}
