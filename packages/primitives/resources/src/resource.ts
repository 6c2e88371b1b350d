import type { Context, Output, Subscribable } from '@rxmcp/core';
import { houseVersion, insideOf, quoted, refuseSize } from '@rxmcp/core/internal';
import type { ResourceValue } from './contents.js';
import type { Details, ReadOptions } from './details.js';
import { entryOf, readTimeoutOf } from './details.js';
import type { Item, Readable } from './source.js';
import { isSubscribable, sourceOf } from './source.js';
import type { ResourceInfo } from './types.js';
import { normalUri } from './uri/uri.js';

/** Options of {@link resource}. */
export interface ResourceOptions extends Details, ReadOptions {
  /** In bytes, before any base64. */
  readonly size?: number;
  /** Tells, by emitting anything, that the value changed; for values that are no Observable themselves. */
  readonly changes?: Subscribable<unknown>;
}

/**
 * What a resource is made of: a value, a promise of one, an Observable whose latest value it is, or a function that gives
 * any of these for each read. `null` says that there is no such resource.
 */
export type ResourceSource =
  | ResourceValue
  | PromiseLike<ResourceValue | null>
  | Subscribable<Item<ResourceValue | null>>
  | ((vars: Readonly<Record<string, never>>, ctx: Context) => Output<ResourceValue | null>);

/** Something that can be read; made by {@link resource}, served by {@link offerResources}. */
export interface Resource {
  /** Its entry in the list. */
  readonly info: ResourceInfo;
  readonly [parts]: { readonly version: string; readonly readable: Readable };
}

/**
 * Makes a resource (spec 2026-07-28 server/resources). An Observable is a value that changes: a read takes its first
 * value, followers its latest, all from one subscription. A function that returns one is run once per principal.
 * Throws a TypeError for a uri that is none (RFC 3986), an unreadable name, a bad media type, size, annotation or value.
 */
export function resource(uri: string, options: ResourceOptions, source: ResourceSource): Resource {
  const { size, changes, mimeType } = options;
  const normal = normalUri(uri);
  refuseSize(`resource ${quoted(uri)}`, size);
  if (changes !== undefined && !isSubscribable(changes)) {
    throw new TypeError(`resource ${quoted(uri)}: "changes" must have a subscribe method`);
  }
  const info = {
    uri: normal,
    ...entryOf('resource', uri, options, nameOf(normal)),
    ...(size === undefined ? {} : { size }),
  };
  return resourceOf(info, {
    uri: normal,
    mimeType,
    source: sourceOf(source, normal, mimeType),
    shared: options.shared === true,
    readTimeoutMs: readTimeoutOf(uri, options),
    changes: changes === undefined ? undefined : () => changes,
  });
}

/** Puts a list entry and its inner side together. */
export function resourceOf(info: ResourceInfo, readable: Readable): Resource {
  return Object.freeze({ info: Object.freeze(info), [parts]: { version: houseVersion, readable } });
}

/** The inner side of a resource, or undefined for anything else. */
export function readableOf(value: unknown): Readable | undefined {
  return insideOf<Resource[typeof parts]>(parts, value)?.readable;
}

/** The name of a resource that has none: its last segment as people write it, else the whole. */
export function nameOf(uri: string): string {
  const segment = /([^/?#:]+)\/?(?:[?#]|$)/.exec(uri.slice(0, 2_048))?.[1];
  if (segment === undefined) return uri;
  try {
    const name = decodeURIComponent(segment);
    return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name) ? uri : name;
  } catch {
    return uri;
  }
}

const parts = Symbol.for('rxmcp.resource');
