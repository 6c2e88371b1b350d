import type { JsonObject } from '@rxmcp/jsonrpc';
import type { MethodOffer } from '../contract/offer.js';
import { PreparedResult } from '../contract/offer.js';
import { cached } from '../eras/modern/methods.js';
import { mapHandlerResult } from '../output/map-handler-result.js';

/** How long, and for whom, the results of a method may be kept by clients. */
export interface CacheHint {
  /** How long a result counts as fresh, in milliseconds; a whole number. @default 0 */
  readonly ttlMs?: number;
  /** `public`: the same for every caller. @default 'private' */
  readonly scope?: 'public' | 'private';
}

/** Hints by method (spec 2026-07-28 server/utilities/caching); older revisions are not told. */
export type CacheHints = Readonly<Partial<Record<CacheableMethod, CacheHint>>>;

/** The methods whose results clients may keep. */
export type CacheableMethod =
  | 'server/discover'
  | 'tools/list'
  | 'prompts/list'
  | 'resources/list'
  | 'resources/templates/list'
  | 'resources/read';

/** The same methods with hints on their results, where a result has none of its own. Throws a TypeError for a wrong hint. */
export function hinted(
  methods: ReadonlyMap<string, MethodOffer>,
  hints: CacheHints = {},
): ReadonlyMap<string, MethodOffer> {
  const entries = Object.entries(hints) as [CacheableMethod, CacheHint][];
  if (entries.length === 0) return methods;
  const all = new Map(methods);
  for (const [method, hint] of entries) {
    if (!cached.has(method)) throw new TypeError(`results of "${method}" are not cached`);
    const offer = methods.get(method);
    const extra = membersOf(method, hint);
    if (offer !== undefined) all.set(method, withHint(offer, extra));
  }
  return all;
}

/** What the hint for `server/discover` adds to its result. Throws a TypeError for a wrong hint. */
export function greetingHint({ 'server/discover': hint }: CacheHints = {}): JsonObject {
  return hint === undefined ? {} : membersOf('server/discover', hint);
}

function withHint(offer: MethodOffer, extra: JsonObject): MethodOffer {
  // A list is prepared once and used until it changes: so is the one with the hint.
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
