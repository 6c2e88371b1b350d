import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Caller } from '../contract/context.js';
import type { RequestInfo, Interceptor } from '../contract/interceptor.js';

/** What an interceptor says of notices, which are no exchanges. */
export interface Guard {
  /** Whether a caller may follow a resource, and hear that it changed. */
  canWatch(caller: Caller, uri: string): boolean;
  /** Whether a caller sees an entry of the list of this method. */
  sees(caller: Caller, method: string, entry: JsonObject): boolean;
  /** Whether what a request names is to a caller as if it was not there. */
  hides(caller: Caller, method: string, params: JsonObject): boolean;
}

const guards = new WeakMap<Interceptor, Guard>();

/** Has an interceptor of a server judge notices too. */
export function withGuard(interceptor: Interceptor, guard: Guard): Interceptor {
  guards.set(interceptor, guard);
  return interceptor;
}

/** What the interceptors of a server say of notices together; undefined = nothing. */
export function guardOf(interceptors: readonly Interceptor[]): Guard | undefined {
  const all = interceptors.flatMap((interceptor) => guards.get(interceptor) ?? []);
  if (all.length === 0) return undefined;
  return {
    canWatch: (caller, uri) => all.every((guard) => guard.canWatch(caller, uri)),
    sees: (caller, method, entry) => all.every((guard) => guard.sees(caller, method, entry)),
    hides: (caller, method, params) => all.some((guard) => guard.hides(caller, method, params)),
  };
}

type Side = RequestInfo['side'];

const belongings = new WeakMap<Interceptor, { readonly side: Side; readonly name: string }>();
const around: Readonly<Record<Side, string>> = {
  client: 'the calls of a client',
  server: 'the requests of a server',
};

/** Says that an interceptor has a meaning on one side only, and what it is called there. */
export function markSide(side: Side, name: string, interceptor: Interceptor): Interceptor {
  belongings.set(interceptor, { side, name });
  return interceptor;
}

/** Throws a TypeError that names the first interceptor which has a meaning on that side only. `where`: among what it stands. */
export function rejectInterceptorsOf(
  side: Side,
  where: string,
  interceptors: readonly Interceptor[] = [],
): void {
  for (const interceptor of interceptors) {
    const found = belongings.get(interceptor);
    if (found?.side !== side) continue;
    throw new TypeError(`${found.name} does not belong among ${where}: it stands around ${around[side]}`);
  }
}
