import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Caller } from '../contract/context.js';
import type { RequestInfo, Interceptor } from '../contract/interceptor.js';

/** How an interceptor restricts notifications, which do not pass through interceptors. */
export interface Guard {
  /** Whether a caller may watch a resource and receive its changes. */
  canWatch(caller: Caller, uri: string): boolean;
  /** Whether a caller may see an entry in the list of this method. */
  sees(caller: Caller, method: string, entry: JsonObject): boolean;
  /** Whether an item that a request names must look missing to a caller. */
  hides(caller: Caller, method: string, params: JsonObject): boolean;
}

const guards = new WeakMap<Interceptor, Guard>();

/** Attaches a guard to an interceptor. */
export function withGuard(interceptor: Interceptor, guard: Guard): Interceptor {
  guards.set(interceptor, guard);
  return interceptor;
}

/** Combines the guards of interceptors; undefined without guards. */
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

/** Marks an interceptor as being for one side only; `name` is used in errors. */
export function markSide(side: Side, name: string, interceptor: Interceptor): Interceptor {
  belongings.set(interceptor, { side, name });
  return interceptor;
}

/** Throws a TypeError that names the first interceptor that is for the given side only. `where` names the option. */
export function rejectInterceptorsOf(
  side: Side,
  where: string,
  interceptors: readonly Interceptor[] = [],
): void {
  for (const interceptor of interceptors) {
    const found = belongings.get(interceptor);
    if (found?.side !== side) continue;
    throw new TypeError(`${found.name} cannot be one of ${where}: it is for ${around[side]}`);
  }
}
