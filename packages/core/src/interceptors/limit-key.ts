import { OVERLOADED } from '@rxmcp/jsonrpc';
import { RxmcpError, RpcError } from '../base/errors.js';
import type { InterceptedRequest } from '../contract/interceptor.js';

/** What is counted together: the exchanges of one principal, of one method, all, or those of one key. */
export type LimitKey = 'principal' | 'method' | 'all' | ((exchange: InterceptedRequest) => string);

/** The key under which an exchange is counted. Anonymous callers share one. */
export function limitKeySelector(per: LimitKey): (exchange: InterceptedRequest) => string {
  if (typeof per === 'function') return per;
  if (per === 'method') return ({ method }) => method;
  if (per === 'all') return () => '';
  return ({ caller: { principal } }) => (principal === undefined ? '' : `p${principal}`);
}

/** Too much at once: a server answers -31001, a client sends nothing. Both say when to come back. */
export function overloadError({ side }: InterceptedRequest, message: string, retryAfterMs: number): Error {
  const data = { retryable: true, retryAfterMs };
  return side === 'server'
    ? new RpcError(OVERLOADED, message, data)
    : new RxmcpError('TOO_MANY_CALLS', message, { retryable: true, data });
}
