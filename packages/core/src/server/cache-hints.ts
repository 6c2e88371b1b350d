import type { JsonObject } from '@rxmcp/jsonrpc';
import type { MethodOffer } from '../contract/offer.js';
import { PreparedResult } from '../contract/offer.js';
import { cacheableMethods } from '../eras/modern/methods.js';
import { mapHandlerResult } from '../output/map-handler-result.js';

/** How long and for whom clients may cache the results of a method. */
export interface CacheHint {
  /** How long a result is fresh, in milliseconds; a whole number. @default 0 */
  readonly ttlMs?: number;
  /** `public` if the result is the same for every caller. @default 'private' */
  readonly scope?: 'public' | 'private';
}

/**
 * Cache hints by method. Only revision 2026-07-28 has them.
 * @see Spec 2026-07-28 server/utilities/caching
 */
export type CacheHints = Readonly<Partial<Record<CacheableMethod, CacheHint>>>;

/** The methods whose results clients may cache. */
export type CacheableMethod =
  | 'server/discover'
  | 'tools/list'
  | 'prompts/list'
  | 'resources/list'
  | 'resources/templates/list'
  | 'resources/read';

/** Returns the methods with hints added to results that have none. Throws a TypeError for an invalid hint. */
export function hinted(
  methods: ReadonlyMap<string, MethodOffer>,
  hints: CacheHints = {},
): ReadonlyMap<string, MethodOffer> {
  const entries = Object.entries(hints) as [CacheableMethod, CacheHint][];
  if (entries.length === 0) return methods;
  const all = new Map(methods);
  for (const [method, hint] of entries) {
    if (!cacheableMethods.has(method)) throw new TypeError(`results of "${method}" are not cached`);
    const offer = methods.get(method);
    const extra = membersOf(method, hint);
    if (offer !== undefined) all.set(method, withHint(offer, extra));
  }
  return all;
}

/** Returns the hint for the result of `server/discover`. Throws a TypeError for an invalid hint. */
export function greetingHint({ 'server/discover': hint }: CacheHints = {}): JsonObject {
  return hint === undefined ? {} : membersOf('server/discover', hint);
}

function withHint(offer: MethodOffer, extra: JsonObject): MethodOffer {
  // A list is encoded once and reused until it changes, and so is the list with its hint.
  const made = new WeakMap<PreparedResult, PreparedResult>();
  const add = (value: JsonObject | PreparedResult): JsonObject | PreparedResult => {
    if (!(value instanceof PreparedResult)) return { ...extra, ...value };
    let prepared = made.get(value);
    if (prepared === undefined)
      made.set(value, (prepared = new PreparedResult({ ...extra, ...value.value })));
    return prepared;
  };
  return { ...offer, handle: (params, ctx) => mapHandlerResult(offer.handle(params, ctx), add) };
}

function membersOf(method: string, { ttlMs = 0, scope = 'private' }: CacheHint): JsonObject {
  if (!Number.isSafeInteger(ttlMs) || ttlMs < 0)
    throw new TypeError(`ttlMs of "${method}" must be a whole number of milliseconds, not ${String(ttlMs)}`);
  if (scope !== 'public' && scope !== 'private')
    throw new TypeError(`scope of "${method}" must be "public" or "private", not ${String(scope)}`);
  return { ttlMs, cacheScope: scope };
}
