import { OVERLOADED } from '@rxmcp/jsonrpc';
import { McpError, RpcError } from '../errors.js';
import type { Intercepted } from './interceptor.js';

/** Too much at once: a server answers -31001, a client sends nothing. Both say when to come back. */
export function refusal({ side }: Intercepted, message: string, retryAfterMs: number): Error {
  const data = { retryable: true, retryAfterMs };
  return side === 'server'
    ? new RpcError(OVERLOADED, message, data)
    : new McpError('TOO_MANY_CALLS', message, { retryable: true, data });
}
