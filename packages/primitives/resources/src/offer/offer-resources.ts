import type { Caller, Context, JsonObject, Offer, HandlerResult, Subscribable } from '@rxmcp/core';
import { RxmcpError } from '@rxmcp/core';
import type { MergeableOffer, OfferHost, PreparedResult } from '@rxmcp/core/internal';
import { defineServerOffer, deferResult, listPages, rejectUnknownOptions } from '@rxmcp/core/internal';
import { type Catalog, type ResourceDefinition, catalogOf, entryOf, keyOf, isDecided } from './catalog.js';
import { Cells } from './shared-value.js';
import { resourceNotFound, readResource } from './read.js';
import { Readings, Watch } from './watch.js';
import { readableOf } from '../definition/resource.js';
import type { Fault } from '@rxmcp/core';
import { quoted } from '@rxmcp/core/internal';

/** Options of {@link offerResources}. */
export interface OfferResourcesOptions {
  /**
   * Whether clients may subscribe to single resources.
   * @default true when the offer is live, or holds an Observable, a function, a template or a resource with `changes`
   */
  readonly subscribe?: boolean;
  /** Whether changes of the list are announced. @default true when the offer is live */
  readonly listChanged?: boolean;
  /** Entries per page of both lists. @default as many as 384 Ki characters hold */
  readonly pageSize?: number;
  /** How long a list or read waits for the first value of a live source, in milliseconds. @default 5_000 */
  readonly offerTimeoutMs?: number;
}

const knownOptions: Record<keyof OfferResourcesOptions, true> = {
  subscribe: true,
  listChanged: true,
  pageSize: true,
  offerTimeoutMs: true,
};

/**
 * Offers resources and templates to clients. A live source emits the whole set each time:
 * a changed list is announced, one with a duplicate uri is dropped with a fault, and after the end of the source its last
 * list stays.
 * @throws TypeError for a duplicate uri in an array
 * @see Spec 2026-07-28 server/resources
 */
export function offerResources<
  S extends readonly ResourceDefinition[] | Subscribable<readonly ResourceDefinition[]>,
>(source: S, options: OfferResourcesOptions = {}): Offer<S extends readonly (infer R)[] ? R : unknown> {
  rejectUnknownOptions('offerResources', options, knownOptions);
  const watches = new Set<Watch>();
  const readings = new Readings();
  const catalog = catalogOf(source, options.offerTimeoutMs, () => {
    // A dropped list must not change the offered resources.
    const now = all.current();
    if (now === undefined) return;
    for (const host of hosts) warn(now, host);
    for (const watch of [...watches]) watch.refresh(() => readings.take(watch.uri));
    readings.clear();
  });
  const { all, resources, templates } = catalog;
  const {
    pageSize,
    subscribe = all.live || (all.current() ?? []).some(mayChange),
    listChanged = all.live,
  } = options;
  const cells = new Cells();
  const hosts = new Set<OfferHost>();
  // An unchanged list does not repeat the warning.
  const warned = new WeakMap<OfferHost, string>();
  const warn = (items: readonly ResourceDefinition[], host: OfferHost): void => {
    const fault = unreachableUriWarning(items);
    if (fault === undefined || warned.get(host) === fault.message) return;
    warned.set(host, fault.message);
    host.fault(fault);
  };
  const read = reader(catalog, cells, readings);

  return defineServerOffer({
    name: 'resources',
    side: 'server',
    mergeable: { source, options: { ...options }, make: offerResources as MergeableOffer['make'] },
    capabilities: {
      resources: { ...(subscribe ? { subscribe: true } : {}), ...(listChanged ? { listChanged: true } : {}) },
    },
    methods: [
      {
        method: 'resources/list',
        handle: listPages({
          method: 'resources/list',
          member: 'resources',
          set: resources,
          keyOf,
          entry: entryOf,
          pageSize,
        }),
      },
      {
        method: 'resources/templates/list',
        handle: listPages({
          method: 'resources/templates/list',
          member: 'resourceTemplates',
          set: templates,
          keyOf,
          entry: entryOf,
          pageSize,
        }),
      },
      { method: 'resources/read', handle: read, notFound: missed(catalog) },
    ],
    start(host) {
      const stop = all.start(
        listChanged ? host : { changed: () => undefined, fault: (fault) => host.fault(fault) },
        'resources',
      );
      hosts.add(host);
      const now = all.current();
      if (now !== undefined) warn(now, host);
      return () => {
        hosts.delete(host);
        stop();
      };
    },
    ...(subscribe
      ? {
          watch(
            uri: string,
            caller: Caller,
            changed: (uri: string) => void,
            hold: (bytes: number) => boolean,
          ) {
            const fault: OfferHost['fault'] = (what) => {
              for (const host of hosts) host.fault(what);
            };
            const watch = new Watch({ cells, find: catalog.find, fault, hold }, uri, caller, () =>
              changed(uri),
            );
            // Before the first value of a live source, only invalid URIs can be rejected.
            if (all.current() !== undefined) watch.begin();
            else {
              catalog.check(uri);
              watch.wait();
            }
            watches.add(watch);
            return () => {
              watches.delete(watch);
              watch.end();
            };
          },
          watchNotFound(uri: string) {
            if (all.current() === undefined) catalog.check(uri);
            else catalog.templated(uri);
          },
        }
      : {}),
  });
}

function reader(
  catalog: Catalog,
  cells: Cells,
  readings: Readings,
): (params: JsonObject, ctx: Context) => HandlerResult<JsonObject | PreparedResult> {
  return ({ uri }, ctx) => {
    if (typeof uri !== 'string') throw noUri();
    const ready = catalog.all.ready(() => isDecided(() => catalog.find(uri)));
    if (ready instanceof Promise) {
      ready.catch(readings.wait(uri, ctx.signal).over);
      return deferResult(ready, () => readResource(catalog.find(uri), ctx, cells));
    }
    return readResource(catalog.find(uri), ctx, cells);
  };
}

/** Reads a missing resource: the same as a source that returns `null` or throws RESOURCE_NOT_FOUND. */
function missed({ all, templated }: Catalog): (params: JsonObject) => HandlerResult<JsonObject> {
  const miss = (uri: string): never => {
    templated(uri);
    throw resourceNotFound(uri);
  };
  return ({ uri }) => {
    if (typeof uri !== 'string') throw noUri();
    // A hidden resource is waited for as one that no server has.
    const ready = all.ready(() => isDecided(() => miss(uri)));
    return ready instanceof Promise ? deferResult(ready, () => miss(uri)) : miss(uri);
  };
}

function noUri(): RxmcpError {
  return new RxmcpError('INVALID_PARAMS', 'resources/read: "uri" must be a string');
}

/** Whether a subscriber could ever receive an update of the resource. */
function mayChange(item: ResourceDefinition): boolean {
  const readable = readableOf(item);
  if (readable === undefined || readable.changes !== undefined) return true;
  return readable.source.kind === 'live' || readable.source.kind === 'made';
}

/**
 * Returns a warning about `http:` and `https:` URIs that clients cannot fetch, which clients may do directly. Undefined if all
 * can be fetched. The resources are served anyway.
 */
export function unreachableUriWarning(items: readonly ResourceDefinition[]): Fault | undefined {
  const found = items.flatMap(({ info }) => {
    const uri = (info['uri'] ?? info['uriTemplate']) as string;
    const problem = unreachableReason(uri);
    return problem === undefined ? [] : [{ uri, problem }];
  });
  if (found.length === 0) return undefined;
  const named = found
    .slice(0, 5)
    .map(({ uri, problem }) => `${quoted(uri)} (${problem})`)
    .join(', ');
  const more = found.length > 5 ? ` and ${found.length - 5} more` : '';
  return {
    code: 'URI_UNREACHABLE',
    message: `clients may fetch http(s) URIs directly and cannot reach ${named}${more}: use a custom URI scheme for what this server serves`,
  };
}

/**
 * Why a client cannot fetch a web address directly, judged by the address alone. Undefined if it may, and for other schemes.
 * `https:` is for what clients fetch from the web without the server.
 * @see Spec 2026-07-28 server/resources#https
 */
export function unreachableReason(uri: string): string | undefined {
  const authority = /^https?:(?:\/\/([^/?#]*))?/i.exec(uri)?.[1];
  if (authority === undefined) return /^https?:/i.test(uri) ? 'it names no host' : undefined;
  if (authority.includes('@')) return 'it holds a user name';
  const host = authority.replace(/:\d*$/, '').toLowerCase().replace(/\.$/, '');
  if (host === '') return 'it names no host';
  // A variable of a template may stand for any host.
  if (/[{}]/.test(host)) return undefined;
  if (host.startsWith('[')) return /^\[(?:::1?|f[cd]|fe[89ab])/.test(host) ? inside : undefined;
  if (/^[\d.]+$/.test(host)) return privateAddress.test(host) ? inside : undefined;
  if (!host.includes('.') || /\.(?:localhost|local|internal|lan|home\.arpa|test|invalid)$/.test(host))
    return inside;
  return undefined;
}

const inside = 'its host is known within one machine or network only';
const privateAddress =
  /^(?:0\.|10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/;
