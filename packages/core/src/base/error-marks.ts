import { OVERLOADED } from '@rxmcp/jsonrpc';
import { TransportError } from '@rxmcp/transport';
import { isObject } from './checks.js';
import { RpcError } from './errors.js';

const loss = Symbol.for('rxmcp.loss');

/** Marks an error as the loss of a whole connection, and no call's. */
export function markConnectionLoss(error: Error): void {
  if (!Object.hasOwn(error, loss)) Object.defineProperty(error, loss, { value: true });
}

/** True for an error that {@link markConnectionLoss} marked. */
export function isConnectionLoss(error: unknown): boolean {
  return typeof error === 'object' && error !== null && Object.hasOwn(error, loss);
}

/** The loss of a connection as one of its calls sees it: whether the peer did what it asked, nobody knows. */
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

const refusals = new WeakSet<object>();

/** Notes that nothing of a request was run when it was refused with this error. */
export function markNotExecuted<T>(error: T): T {
  if (RpcError.is(error) && error.code === OVERLOADED) refusals.add(error);
  return error;
}

/**
 * The data of a -31001 as it is sent: `executed: false` for a refusal before anything was run, and never for what a handler
 * threw, be it an error that a third server gave it.
 */
export function overloadData(error: RpcError): unknown {
  const { code, data } = error;
  if (code !== OVERLOADED) return data;
  if (refusals.has(error)) return isObject(data) ? { ...data, executed: false } : { executed: false };
  if (!isObject(data) || !('executed' in data)) return data;
  const { executed: _said, ...rest } = data;
  return rest;
}

/** Whether the peer says that it refused a request before anything of it was run. */
export function wasNotExecuted({ code, data }: RpcError): boolean {
  return code === OVERLOADED && isObject(data) && data.executed === false;
}
