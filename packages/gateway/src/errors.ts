import { RpcError, RxmcpError, TransportError } from '@rxmcp/core';
import {
  BRIDGED_PEER_UNAVAILABLE,
  DEADLINE_EXCEEDED,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  isObject,
  OVERLOADED,
  quoted,
} from '@rxmcp/core/internal';

/** The code of a missing resource up to 2025-11-25. */
const resourceNotFound = -32002;

/** The codes of responses of the other server that cannot be passed on. */
const invalidResponse: ReadonlySet<string> = new Set(['INVALID_RESULT', 'PROTOCOL_ERROR', 'TOO_MANY_ROUNDS']);

/** The error for the requests of a server without a connection. Its details stay here: they may be secret. */
export function unavailable(server: string, cause: unknown): RpcError {
  const known = TransportError.is(cause) || RxmcpError.is(cause);
  const code = known ? cause.code : 'CLOSED';
  const outcome = known ? cause.outcome : 'not-sent';
  const message = `server ${quoted(server)} cannot be reached: ${code}. Try again later`;
  return new RpcError(BRIDGED_PEER_UNAVAILABLE, message, { retryable: true, code, outcome });
}

/** The error of what may be tried again after a second. */
function overloaded(
  message: string,
  data: { readonly executed?: false; readonly outcome?: TransportError['outcome'] },
): RpcError {
  return new RpcError(OVERLOADED, message, { retryable: true, retryAfterMs: 1_000, ...data });
}

/** The error for a caller that watches as many resources of one server as it may. */
export function tooManyWatches(server: string): RpcError {
  const message = `this caller watches as many resources of server ${quoted(server)} as it may. Unsubscribe from some`;
  return overloaded(message, { executed: false });
}

/** The error for a call that ends because later ones wait for answers to their asks. */
export function tooManyAsks(server: string): RpcError {
  const message = `too many calls of server ${quoted(server)} wait for answers to asks. Answer those first`;
  return overloaded(message, { outcome: 'unknown' });
}

/** The error for a call whose result has no room in the memory. */
export function noMemoryForResult(server: string, outcome: TransportError['outcome']): RpcError {
  const message = `no memory is left for the result of server ${quoted(server)}. Make fewer calls at a time`;
  return overloaded(message, { outcome });
}

/** The error for a call whose result, with what else its server sends, is too large for a limit of this side. */
function tooMuchFrom(server: string, outcome: TransportError['outcome']): RpcError {
  const message = `server ${quoted(server)} sent more than there is room for. Make fewer calls at a time, or ask for less`;
  return overloaded(message, { outcome });
}

/** Returns the error that the caller receives: that of the other server as it is, or one that says why it did not answer. */
export function failureOf(server: string, error: unknown): unknown {
  if (RpcError.is(error)) return ofRevision(error);
  if ((TransportError.is(error) || RxmcpError.is(error)) && error.code === 'OVERFLOW')
    return tooMuchFrom(server, error.outcome);
  if (TransportError.is(error) || RxmcpError.is(error, 'CLOSED')) return unavailable(server, error);
  if (RxmcpError.is(error, 'TIMEOUT')) {
    const { outcome } = error;
    const message = `server ${quoted(server)} did not answer in time`;
    return new RpcError(DEADLINE_EXCEEDED, message, { retryable: true, code: 'TIMEOUT', outcome });
  }
  if (RxmcpError.is(error, 'TOO_MANY_CALLS')) {
    const message = `too many calls wait for server ${quoted(server)}`;
    return overloaded(message, {});
  }
  if (RxmcpError.is(error) && invalidResponse.has(error.code)) {
    const { code, message, outcome } = error;
    const text = `server ${quoted(server)} sent an invalid response: ${message}`;
    return new RpcError(INTERNAL_ERROR, text, { code, outcome });
  }
  return error;
}

// A missing resource has another code since 2026-07-28. From the former one, core makes that of the caller's revision.
function ofRevision(error: RpcError): RpcError {
  const { code, message, data } = error;
  const isMissing = code === INVALID_PARAMS && isObject(data) && typeof data['uri'] === 'string';
  return isMissing ? new RpcError(resourceNotFound, message, data) : error;
}
