import type { Caller, Context, JsonObject, LogItem, ProgressItem, Subscribable } from '@rxmcp/core';
import { Prepared, quoted } from '@rxmcp/core/internal';
import { contentsOf } from './contents.js';

/** Where the value of a resource comes from. */
export type Source =
  | { readonly kind: 'fixed'; readonly result: Prepared }
  | { readonly kind: 'promised'; readonly value: PromiseLike<unknown> }
  | { readonly kind: 'live'; readonly values: Subscribable<unknown> }
  | {
      readonly kind: 'made';
      /** What runs of it are shared by, beside uri and principal. */
      readonly by: object;
      make(ctx: Context): unknown;
    };

/** A resource as it is read and followed. */
export interface Readable {
  /** In normal form. */
  readonly uri: string;
  readonly mimeType: string | undefined;
  readonly source: Source;
  readonly shared: boolean;
  readonly readTimeoutMs: number;
  /** What tells that the value changed, where the source itself does not. May throw to refuse. */
  readonly changes: ((caller: Caller) => Subscribable<unknown>) | undefined;
}

/** A value among the items of an Observable that reports as well. */
export type Item<T> = T | ProgressItem | LogItem;

/** Sorts out what an author gave as the source. Throws a TypeError for what is none; a plain value is checked now. */
export function sourceOf(given: unknown, uri: string, mimeType: string | undefined): Source {
  if (typeof given === 'function') {
    return {
      kind: 'made',
      by: given,
      make: (ctx) => (given as (vars: object, ctx: Context) => unknown)({}, ctx),
    };
  }
  if (isSubscribable(given)) return { kind: 'live', values: given };
  if (isPromise(given)) {
    // A rejection is told to whoever reads.
    given.then(undefined, () => undefined);
    return { kind: 'promised', value: given };
  }
  if (typeof given === 'object' && given !== null && Symbol.asyncIterator in given) {
    throw new TypeError(
      `resource ${quoted(uri)}: an iterable can be read once only, give a function that makes one`,
    );
  }
  return { kind: 'fixed', result: new Prepared({ contents: contentsOf(given, uri, mimeType) }) };
}

/** Whether a value can be subscribed to. */
export function isSubscribable(value: unknown): value is Subscribable<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as JsonObject)['subscribe'] === 'function'
  );
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as JsonObject)['then'] === 'function';
}
