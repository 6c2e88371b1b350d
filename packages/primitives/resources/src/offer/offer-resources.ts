import type { Caller, Context, JsonObject, Offer, HandlerResult, Subscribable } from '@rxmcp/core';
import { RxmcpError } from '@rxmcp/core';
import type { MergeableOffer, OfferHost, PreparedResult } from '@rxmcp/core/internal';
import { defineServerOffer, deferResult, listPages, rejectUnknownOptions } from '@rxmcp/core/internal';
import type { Catalog, ResourceDefinition } from './catalog.js';
import { catalogOf, entryOf, keyOf } from './catalog.js';
import { Cells } from './shared-value.js';
import { resourceNotFound, readResource } from './read.js';
import { Readings, Watch } from './watch.js';
import { readableOf } from '../definition/resource.js';
import { unreachableUriWarning } from './unreachable-addresses.js';

/** Options of {@link offerResources}. */
export interface OfferResourcesOptions {
  /**
   * Whether clients may subscribe to single resources.
   * @default true when the offer is live, or holds an Observable, a function, a template or a resource with `changes`
   */
  readonly subscribe?: boolean;
  /** Whether changes of the list are announced. @default true when the offer is live */
  readonly listChanged?: boolean;
  /** Entries per page of both lists. @default all in one page */
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
 * list stays. Throws a TypeError for a duplicate uri in an array.
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
          watch(uri: string, caller: Caller, changed: (uri: string) => void) {
            const fault: OfferHost['fault'] = (what) => {
              for (const host of hosts) host.fault(what);
            };
            const watch = new Watch({ cells, find: catalog.find, fault }, uri, caller, () => changed(uri));
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
    const ready = catalog.all.ready();
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
    const ready = all.ready();
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
