import type { JsonObject } from '@rxmcp/jsonrpc';
import type { LibraryCopy } from '../base/brand.js';
import { checkCopy, libraryCopy } from '../base/brand.js';
import type { Caller } from '../contract/context.js';
import type { RequestDetails, Interceptor } from '../contract/interceptor.js';

/** How an interceptor restricts notifications, which do not pass through interceptors. */
export interface Guard {
  /** Whether a caller may watch a resource and receive its changes. */
  canWatch(caller: Caller, uri: string): boolean;
  /** Whether a caller may see an entry in the list of this method. */
  sees(caller: Caller, method: string, entry: JsonObject): boolean;
  /** Whether an item that a request names must look missing to a caller. */
  hides(caller: Caller, method: string, params: JsonObject): boolean;
}

/** What is known of an interceptor of this project. */
interface Marks {
  readonly copy: LibraryCopy;
  readonly guard?: Guard;
  readonly side?: Side;
  readonly name?: string;
}

type Side = RequestDetails['side'];

// On the interceptor itself, so that another copy of the library finds them, and rejects it.
const marksKey = Symbol.for('rxmcp.interceptor');

function marksOf(interceptor: Interceptor): Marks | undefined {
  return (interceptor as unknown as Record<symbol, Marks | undefined>)[marksKey];
}

function mark(interceptor: Interceptor, marks: Omit<Marks, 'copy'>): Interceptor {
  const value: Marks = { ...marksOf(interceptor), ...marks, copy: libraryCopy };
  return Object.defineProperty(interceptor, marksKey, { value, configurable: true });
}

/** Attaches a guard to an interceptor. */
export function withGuard(interceptor: Interceptor, guard: Guard): Interceptor {
  return mark(interceptor, { guard });
}

/** Combines the guards of interceptors; undefined without guards. */
export function guardOf(interceptors: readonly Interceptor[]): Guard | undefined {
  const all = interceptors.flatMap((interceptor) => marksOf(interceptor)?.guard ?? []);
  if (all.length === 0) return undefined;
  return {
    canWatch: (caller, uri) => all.every((guard) => guard.canWatch(caller, uri)),
    sees: (caller, method, entry) => all.every((guard) => guard.sees(caller, method, entry)),
    hides: (caller, method, params) => all.some((guard) => guard.hides(caller, method, params)),
  };
}

const around: Readonly<Record<Side, string>> = {
  client: 'the calls of a client',
  server: 'the requests of a server',
};

/** Marks an interceptor as being for one side only; `name` is used in errors. */
export function markSide(side: Side, name: string, interceptor: Interceptor): Interceptor {
  return mark(interceptor, { side, name });
}

/** Throws a TypeError for the first interceptor that is for the given side only, or of another copy. `where` names the option. */
export function rejectInterceptorsOf(
  side: Side,
  where: string,
  interceptors: readonly Interceptor[] = [],
): void {
  for (const interceptor of interceptors) {
    const found = marksOf(interceptor);
    if (found === undefined) continue;
    checkCopy(where, found.copy);
    if (found.side !== side) continue;
    throw new TypeError(`${found.name} cannot be one of ${where}: it is for ${around[side]}`);
  }
}
