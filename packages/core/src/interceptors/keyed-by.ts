import type { Intercepted } from './interceptor.js';

/** What is counted together: the exchanges of one principal, of one method, all, or those of one key. */
export type Per = 'principal' | 'method' | 'all' | ((exchange: Intercepted) => string);

/** The key under which an exchange is counted. Anonymous callers share one. */
export function keyedBy(per: Per): (exchange: Intercepted) => string {
  if (typeof per === 'function') return per;
  if (per === 'method') return ({ method }) => method;
  if (per === 'all') return () => '';
  return ({ caller: { principal } }) => (principal === undefined ? '' : `p${principal}`);
}
