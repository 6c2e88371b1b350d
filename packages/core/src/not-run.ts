import { OVERLOADED } from '@rxmcp/jsonrpc';
import { RpcError } from './errors.js';
import { isObject } from './is-object.js';

const refusals = new WeakSet<object>();

/** Notes that nothing of a request was run when it was refused with this error. */
export function notRun<T>(error: T): T {
  if (RpcError.is(error) && error.code === OVERLOADED) refusals.add(error);
  return error;
}

/**
 * The data of a -31001 as it is sent: `executed: false` for a refusal before anything was run, and never for what a handler
 * threw, be it an error that a third server gave it.
 */
export function dataOf(error: RpcError): unknown {
  const { code, data } = error;
  if (code !== OVERLOADED) return data;
  if (refusals.has(error)) return isObject(data) ? { ...data, executed: false } : { executed: false };
  if (!isObject(data) || !('executed' in data)) return data;
  const { executed: _said, ...rest } = data;
  return rest;
}

/** Whether the peer says that it refused a request before anything of it was run. */
export function wasNotRun({ code, data }: RpcError): boolean {
  return code === OVERLOADED && isObject(data) && data.executed === false;
}
