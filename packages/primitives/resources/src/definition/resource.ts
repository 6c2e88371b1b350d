import type {
  Caller,
  Context,
  JsonObject,
  LogItem,
  HandlerResult,
  ProgressItem,
  Subscribable,
} from '@rxmcp/core';
import {
  libraryCopy,
  readInternals,
  PreparedResult,
  quoted,
  assertSize,
  rejectUnknownOptions,
} from '@rxmcp/core/internal';
import type { LibraryCopy } from '@rxmcp/core/internal';
import { type ResourceValue, contentsOf } from './contents.js';
import type { ResourceMetadata, ReadOptions } from './resource-metadata.js';
import { alikeMetadata, entryOf, readTimeoutOf } from './resource-metadata.js';
import type { ResourceInfo } from './types.js';
import { normalUri } from '../uri/uri.js';

/** Where the value of a resource comes from. */
type ValueSource =
  | { readonly kind: 'fixed'; readonly result: PreparedResult }
  | { readonly kind: 'promised'; readonly value: PromiseLike<unknown> }
  | { readonly kind: 'live'; readonly values: Subscribable<unknown> }
  | {
      readonly kind: 'made';
      /** Runs are shared by this object, the uri and the principal. */
      readonly by: object;
      make(ctx: Context): unknown;
    }
  | {
      readonly kind: 'forwarded';
      /** The server that has the resource. */
      readonly by: object;
      /** Returns the whole result of a read. */
      read(ctx: Context): HandlerResult<JsonObject>;
    };

/** The internal parts of a resource. */
export interface Readable {
  /** In normal form. */
  readonly uri: string;
  readonly mimeType: string | undefined;
  readonly source: ValueSource;
  readonly shared: boolean;
  readonly readTimeoutMs: number;
  /** Emits when the value changes, if the source itself does not. May throw to reject the caller. */
  readonly changes: ((caller: Caller) => Subscribable<unknown>) | undefined;
}

/** An item of an Observable: a value, progress or a log record. */
export type ResourceItem<T> = T | ProgressItem | LogItem;

/** Classifies the source of a resource. Throws a TypeError for an invalid source; a plain value is checked immediately. */
function sourceOf(given: unknown, uri: string, mimeType: string | undefined): ValueSource {
  if (typeof given === 'function') {
    return {
      kind: 'made',
      by: given,
      make: (ctx) => (given as (vars: object, ctx: Context) => unknown)({}, ctx),
    };
  }
  if (isSubscribable(given)) return { kind: 'live', values: given };
  if (isPromise(given)) {
    // Each reader receives the rejection.
    given.then(undefined, () => undefined);
    return { kind: 'promised', value: given };
  }
  if (typeof given === 'object' && given !== null && Symbol.asyncIterator in given) {
    throw new TypeError(
      `resource ${quoted(uri)}: an iterable can be read only once; pass a function that returns one`,
    );
  }
  return { kind: 'fixed', result: new PreparedResult({ contents: contentsOf(given, uri, mimeType) }) };
}

/** Returns whether a value has a subscribe method. */
export function isSubscribable(value: unknown): value is Subscribable<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as JsonObject)['subscribe'] === 'function'
  );
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as JsonObject)['then'] === 'function';
}

/** Options of {@link resource}. */
export interface ResourceOptions extends ResourceMetadata, ReadOptions {
  /** In bytes, before any base64. */
  readonly size?: number;
  /** Any emission means that the value changed. For values that are not Observables themselves. */
  readonly changes?: Subscribable<unknown>;
}

/** The names of the options of resources and templates. */
export const sharedOptionNames: Record<keyof (ResourceMetadata & ReadOptions), true> = {
  name: true,
  title: true,
  description: true,
  mimeType: true,
  annotations: true,
  icons: true,
  meta: true,
  shared: true,
  readTimeoutMs: true,
};

const knownOptions: Record<keyof ResourceOptions, true> = {
  ...sharedOptionNames,
  size: true,
  changes: true,
};

/**
 * The source of a resource: a value, a promise, an Observable whose latest value it is, or a function that returns
 * any of these for each read. `null` means that the resource does not exist.
 */
export type ResourceSource =
  | ResourceValue
  | PromiseLike<ResourceValue | null>
  | Subscribable<ResourceItem<ResourceValue | null>>
  | ((vars: Readonly<Record<string, never>>, ctx: Context) => HandlerResult<ResourceValue | null>);

/** A resource that clients can read; made by {@link resource}, served by {@link offerResources}. */
export interface Resource {
  /** Its entry in the list. */
  readonly info: ResourceInfo;
  readonly [resourceParts]: { readonly copy: LibraryCopy; readonly readable: Readable };
}

/**
 * Makes a resource. An Observable is a changing value: a read takes its first
 * value, subscribers its latest, all from one subscription. A function that returns an Observable runs once per principal.
 * @throws TypeError for an invalid URI (RFC 3986), an unreadable name, or an invalid media type, size, annotation or
 * value
 * @see Spec 2026-07-28 server/resources
 */
export function resource(uri: string, options: ResourceOptions, source: ResourceSource): Resource {
  if (source === undefined)
    throw new TypeError(`resource "${uri}" needs a value: resource('${uri}', { name }, value)`);
  rejectUnknownOptions(`resource ${quoted(uri)}`, options, knownOptions, alikeMetadata);
  const { size, changes, mimeType } = options;
  const normal = normalUri(uri);
  assertSize(`resource ${quoted(uri)}`, size);
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

/** Makes a resource of its list entry and its internal parts. */
export function resourceOf(info: ResourceInfo, readable: Readable): Resource {
  return Object.freeze({ info: Object.freeze(info), [resourceParts]: { copy: libraryCopy, readable } });
}

/** Returns the internal parts of a resource, or undefined for anything else. */
export function readableOf(value: unknown): Readable | undefined {
  return readInternals<Resource[typeof resourceParts]>(resourceParts, value)?.readable;
}

/** The default name of a resource: the decoded last segment of its URI, or the whole URI. */
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

/** The key of the internal parts of a resource. */
export const resourceParts = Symbol.for('rxmcp.resource');
