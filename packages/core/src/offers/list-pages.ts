import type { JsonObject } from '@rxmcp/jsonrpc';
import { fromBase64Url, toBase64Url } from '../base/base64.js';
import { RxmcpError } from '../base/errors.js';
import { PreparedResult } from '../contract/offer.js';
import type { LiveSet } from './live-set.js';

/** Describes the pages of a list. */
export interface ListPagesSpec<T> {
  readonly method: string;
  /** The member that holds the entries, such as `tools`. */
  readonly member: string;
  readonly set: LiveSet<T>;
  /** Returns the key of an item, as in the set. A cursor names the last key of its page. */
  keyOf(item: T): string;
  /** Returns the entry of an item. */
  entry(item: T): JsonObject;
  /** The number of entries per page. @default as many as 384 Ki characters hold */
  readonly pageSize?: number | undefined;
  /** Additional members of each page, such as `ttlMs`. */
  readonly extra?: JsonObject | undefined;
}

/**
 * Returns a handler of a list method. Pages are encoded once and reused until the set emits again. A cursor is valid in
 * any process that offers the same set in pages; if its entry was removed, the list continues with the next one. Any
 * other cursor causes INVALID_PARAMS, as does each one where all entries fit into one page.
 * @see Spec 2026-07-28 server/utilities/pagination
 */
export function listPages<T>(
  spec: ListPagesSpec<T>,
): (params: JsonObject) => PreparedResult | Promise<PreparedResult> {
  const { method, set, pageSize } = spec;
  if (pageSize !== undefined && !(Number.isInteger(pageSize) && pageSize > 0)) {
    throw new TypeError(`pageSize must be a positive integer, not ${String(pageSize)}`);
  }
  // By the items, so that replaced ones are not kept by their pages.
  const books = new WeakMap<readonly T[], Book<T>>();
  const page = (items: readonly T[], cursor: string | undefined): PreparedResult => {
    const book = books.get(items) ?? {
      items,
      ends: endsOf(spec, items),
      pages: new Map(),
      places: undefined,
    };
    books.set(items, book);
    return pageAt(spec, book, startOf(spec, book, cursor));
  };
  const handle = (params: JsonObject): PreparedResult | Promise<PreparedResult> => {
    const cursor = Object.hasOwn(params, 'cursor') ? params['cursor'] : undefined;
    if (cursor !== undefined && typeof cursor !== 'string') {
      throw new RxmcpError('INVALID_PARAMS', `${method}: "cursor" must be a string`);
    }
    const items = set.ready();
    return isList(items) ? page(items, cursor) : items.then((first) => page(first, cursor));
  };
  preparedLists.add(handle);
  return handle;
}

/** Whether {@link listPages} created a handler, so that it returns the same to every caller. */
export function isPreparedListHandler(
  handle: (params: JsonObject, ctx: never) => unknown,
): handle is (params: JsonObject) => PreparedResult | Promise<PreparedResult> {
  return preparedLists.has(handle);
}

const preparedLists = new WeakSet<object>();

interface Book<T> {
  readonly items: readonly T[];
  /** Where each page ends, by the place where it begins. */
  readonly ends: ReadonlyMap<number, number>;
  readonly pages: Map<number, PreparedResult>;
  /** The index of each entry; computed for the first cursor. */
  places: ReadonlyMap<string, number> | undefined;
}

function startOf<T>(spec: ListPagesSpec<T>, book: Book<T>, cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  // A list in one page has no cursors: each forged one would be a page of almost the whole list.
  const isOnePage = spec.pageSize === undefined && book.ends.size === 1;
  const place = isOnePage ? undefined : placeOf(spec.method, cursor);
  const start = place === undefined ? undefined : startAt(spec, book, place);
  if (start === undefined) throw new RxmcpError('INVALID_PARAMS', `${spec.method}: unknown cursor`);
  return start;
}

function startAt<T>(spec: ListPagesSpec<T>, book: Book<T>, { after, before }: Place): number | undefined {
  book.places ??= new Map(book.items.map((item, at) => [spec.keyOf(item), at]));
  const last = book.places.get(after);
  if (last !== undefined) return last + 1;
  return before === undefined ? undefined : book.places.get(before);
}

function pageAt<T>(spec: ListPagesSpec<T>, book: Book<T>, start: number): PreparedResult {
  const known = book.pages.get(start);
  if (known !== undefined) return known;
  const { items, ends } = book;
  // A forged cursor may point between two pages. Such a page is returned but not cached.
  const end = ends.get(start) ?? endOf(spec, items, start);
  const nextCursor = cursorAt(spec, items, end);
  const made = new PreparedResult({
    [spec.member]: items.slice(start, end).map((item) => spec.entry(item)),
    ...(nextCursor === undefined ? {} : { nextCursor }),
    ...spec.extra,
  });
  if (ends.has(start)) book.pages.set(start, made);
  return made;
}

/**
 * The most characters of the entries of a page, so that the response is below the size of a message in every transport, and below the
 * 200,000 values that a reader accepts: each takes two characters at least.
 */
const maxPageChars = 393_216;

/** Returns where each page ends, by its start. */
function endsOf<T>(spec: ListPagesSpec<T>, items: readonly T[]): Map<number, number> {
  const ends = new Map<number, number>();
  let start = 0;
  do {
    const end = endOf(spec, items, start);
    ends.set(start, end);
    start = end;
  } while (start < items.length);
  return ends;
}

/** Returns where the page ends that begins at an entry. It has at least one entry, and is longer where no cursor can name its end. */
function endOf<T>(spec: ListPagesSpec<T>, items: readonly T[], start: number): number {
  const { entry, pageSize } = spec;
  let size = 0;
  for (let at = start; at < items.length; at += 1) {
    size += pageSize === undefined ? JSON.stringify(entry(items[at] as T)).length : 1;
    if (size > (pageSize ?? maxPageChars) && at > start && cursorAt(spec, items, at) !== undefined) return at;
  }
  return items.length;
}

/** Returns the cursor of the page that begins at an entry; undefined after the last entry. */
function cursorAt<T>(spec: ListPagesSpec<T>, items: readonly T[], at: number): string | undefined {
  const [last, next] = [items[at - 1], items[at]];
  if (last === undefined || next === undefined) return undefined;
  return cursorOf(spec.method, { after: spec.keyOf(last), before: spec.keyOf(next) });
}

function isList<T>(items: readonly T[] | Promise<readonly T[]>): items is readonly T[] {
  return Array.isArray(items);
}

/** The place in a list that a cursor names: after one entry or, if that was removed, before another one. */
export interface Place {
  readonly after: string;
  readonly before?: string | undefined;
}

/**
 * The longest key that a cursor can name. Clients accept cursors of 65,536 characters, and encoding can make a key
 * six times longer.
 */
const maxKey = 8_192;

/**
 * Encodes a place in the list of a method as a cursor; returns undefined if it would be too long. The cursor
 * contains everything, so that any process that offers the same list can continue.
 */
export function cursorOf(method: string, { after, before }: Place): string | undefined {
  if (after.length > maxKey) return undefined;
  const known = before === undefined || before.length > maxKey ? [method, after] : [method, after, before];
  // As UTF-8 of JSON, which escapes lone surrogates, so that any name is restored exactly.
  return toBase64Url(new TextEncoder().encode(JSON.stringify(known)));
}

/**
 * Decodes a cursor of this method's list. Returns undefined for one of another list and for a text that {@link
 * cursorOf} did not create.
 */
export function placeOf(method: string, cursor: string): Place | undefined {
  let known: unknown;
  try {
    known = JSON.parse(new TextDecoder().decode(fromBase64Url(cursor)));
  } catch {
    return undefined;
  }
  if (!Array.isArray(known)) return undefined;
  const [of, after, before] = known as readonly unknown[];
  if (of !== method || typeof after !== 'string') return undefined;
  if (before !== undefined && typeof before !== 'string') return undefined;
  const place = { after, before };
  // One place has one cursor; other spellings are forged.
  return cursorOf(method, place) === cursor ? place : undefined;
}
