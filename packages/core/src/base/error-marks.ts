import { OVERLOADED } from '@rxmcp/jsonrpc';
import { TransportError } from '@rxmcp/transport';
import { isObject } from './checks.js';
import { RpcError } from './errors.js';

const loss = Symbol.for('rxmcp.loss');

/** Marks an error as the loss of a connection, as opposed to the failure of one call. */
export function markConnectionLoss(error: Error): void {
  if (!Object.hasOwn(error, loss)) Object.defineProperty(error, loss, { value: true });
}

/** Whether {@link markConnectionLoss} marked an error. */
export function isConnectionLoss(error: unknown): boolean {
  return typeof error === 'object' && error !== null && Object.hasOwn(error, loss);
}

/**
 * Creates the error of a call that the loss of its connection interrupted. Its outcome is `unknown`: the peer may
 * have run it.
 */
export function interruptedCall(
  method: string,
  { code, message, details }: TransportError,
  cause: Error,
): Error {
  return new TransportError(code, `"${method}" was interrupted: ${message}`, {
    cause,
    outcome: 'unknown',
    ...(details === undefined ? {} : { details }),
  });
}

const notExecuted = new WeakSet<object>();

/** The other side of a bridge, or a server behind a gateway, is closed or cannot be reached. */
export const BRIDGED_PEER_UNAVAILABLE = -31003;

/** The JSON-RPC code of a request whose caller lacks scopes: `data.requiredScopes`. */
export const INSUFFICIENT_SCOPE = -31005;

/** Records that a request was rejected with this error before any of it ran. */
export function markNotExecuted<T>(error: T): T {
  if (RpcError.is(error)) notExecuted.add(error);
  return error;
}

/** Whether this server rejected a request since its caller lacks scopes. False for an error that a handler received from elsewhere. */
export function lacksScopes(error: unknown): boolean {
  return RpcError.is(error) && error.code === INSUFFICIENT_SCOPE && notExecuted.has(error);
}

/**
 * Returns the data of an error as it is sent. A -31001 has `executed: false` only if the server rejected the
 * request before any of it ran. An error that a handler threw never has it, even if the handler received it from
 * another server.
 */
export function overloadData(error: RpcError): unknown {
  const { code, data } = error;
  if (code !== OVERLOADED) return data;
  if (notExecuted.has(error)) return isObject(data) ? { ...data, executed: false } : { executed: false };
  if (!isObject(data) || !('executed' in data)) return data;
  const { executed: _said, ...rest } = data;
  return rest;
}

/** Whether the peer says that it rejected a request before any of it ran. */
export function wasNotExecuted({ code, data }: RpcError): boolean {
  return code === OVERLOADED && isObject(data) && data.executed === false;
}
