import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Caller } from '../context.js';
import type { Interceptor } from './interceptor.js';

/** What an interceptor says of notices, which are no exchanges. */
export interface Guard {
  /** Whether a caller may follow a resource, and hear that it changed. */
  mayHear(caller: Caller, uri: string): boolean;
  /** Whether a caller sees an entry of the list of this method. */
  sees(caller: Caller, method: string, entry: JsonObject): boolean;
  /** Whether what a request names is to a caller as if it was not there. */
  hides(caller: Caller, method: string, params: JsonObject): boolean;
}

const guards = new WeakMap<Interceptor, Guard>();

/** Has an interceptor of a server judge notices too. */
export function guarding(interceptor: Interceptor, guard: Guard): Interceptor {
  guards.set(interceptor, guard);
  return interceptor;
}

/** What the interceptors of a server say of notices together; undefined = nothing. */
export function guardOf(interceptors: readonly Interceptor[]): Guard | undefined {
  const all = interceptors.flatMap((interceptor) => guards.get(interceptor) ?? []);
  if (all.length === 0) return undefined;
  return {
    mayHear: (caller, uri) => all.every((guard) => guard.mayHear(caller, uri)),
    sees: (caller, method, entry) => all.every((guard) => guard.sees(caller, method, entry)),
    hides: (caller, method, params) => all.some((guard) => guard.hides(caller, method, params)),
  };
}
