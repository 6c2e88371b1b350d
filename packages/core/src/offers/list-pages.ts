import type { JsonObject } from '@rxmcp/jsonrpc';
import { RxmcpError } from '../base/errors.js';
import { PreparedResult } from '../contract/offer.js';
import type { LiveSet } from './live-set.js';

/** What the answer to a list method is made of. */
export interface ListPagesSpec<T> {
  readonly method: string;
  /** The member that holds the entries, such as `tools`. */
  readonly member: string;
  readonly set: LiveSet<T>;
  /** As in the set: what names an item, and after which the next page begins. */
  keyOf(item: T): string;
  /** What the wire shows of an item. */
  entry(item: T): JsonObject;
  /** Entries per page. @default all in one page */
  readonly pageSize?: number | undefined;
  /** Further members of each page, such as `ttlMs`. */
  readonly extra?: JsonObject | undefined;
}

/**
 * Answers a list method. Pages are made once and kept while the set is unchanged. Any process that offers the same set understands
 * a cursor, and one whose entry is gone goes on with the entry that came next. Any other cursor, such as one of another
 * list, ends in INVALID_PARAMS (spec 2026-07-28 server/utilities/pagination).
 */
export function listPages<T>(
  spec: ListPagesSpec<T>,
): (params: JsonObject) => PreparedResult | Promise<PreparedResult> {
  const { method, set, pageSize } = spec;
  if (pageSize !== undefined && !(Number.isInteger(pageSize) && pageSize > 0)) {
    throw new TypeError(`pageSize must be a positive integer, not ${String(pageSize)}`);
  }
  let book = emptyBook<T>();
  const page = (items: readonly T[], cursor: string | undefined): PreparedResult => {
    // Items of one version have the same content, whatever handlers they came with.
    if (book.version !== set.version) book = { ...emptyBook<T>(), version: set.version, items };
    return pageAt(spec, book, startOf(spec, book, cursor));
  };
  const answer = (params: JsonObject): PreparedResult | Promise<PreparedResult> => {
    const cursor = Object.hasOwn(params, 'cursor') ? params['cursor'] : undefined;
    if (cursor !== undefined && typeof cursor !== 'string') {
      throw new RxmcpError('INVALID_PARAMS', `${method}: "cursor" must be a string`);
    }
    const items = set.ready();
    return isList(items) ? page(items, cursor) : items.then((first) => page(first, cursor));
  };
  preparedLists.add(answer);
  return answer;
}

/** Whether what answers a list method was made by {@link listPages}: it gives the same to every caller. */
export function isPreparedListHandler(
  handle: (params: JsonObject, ctx: never) => unknown,
): handle is (params: JsonObject) => PreparedResult | Promise<PreparedResult> {
  return preparedLists.has(handle);
}

const preparedLists = new WeakSet<object>();

interface Book<T> {
  readonly version: number;
  readonly items: readonly T[];
  readonly pages: Map<number, PreparedResult>;
  /** Where each entry stands; made when a cursor first comes. */
  places: ReadonlyMap<string, number> | undefined;
}

function emptyBook<T>(): Book<T> {
  return { version: -1, items: [], pages: new Map(), places: undefined };
}

function startOf<T>(spec: ListPagesSpec<T>, book: Book<T>, cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const place = placeOf(spec.method, cursor);
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
  const { items } = book;
  let end = spec.pageSize === undefined ? items.length : Math.min(items.length, start + spec.pageSize);
  let nextCursor = cursorAt(spec, items, end);
  // A page is longer than it should be rather than the last one, where no cursor can name its end.
  while (nextCursor === undefined && end < items.length) nextCursor = cursorAt(spec, items, (end += 1));
  const made = new PreparedResult({
    [spec.member]: items.slice(start, end).map((item) => spec.entry(item)),
    ...(nextCursor === undefined ? {} : { nextCursor }),
    ...spec.extra,
  });
  // A cursor that is made up may point between two pages: such a page is served, and not kept.
  if (start % (spec.pageSize ?? items.length + 1) === 0) book.pages.set(start, made);
  return made;
}

/** The cursor of the page that begins at an entry; undefined behind the last one. */
function cursorAt<T>(spec: ListPagesSpec<T>, items: readonly T[], at: number): string | undefined {
  const [last, next] = [items[at - 1], items[at]];
  if (last === undefined || next === undefined) return undefined;
  return cursorOf(spec.method, { after: spec.keyOf(last), before: spec.keyOf(next) });
}

function isList<T>(items: readonly T[] | Promise<readonly T[]>): items is readonly T[] {
  return Array.isArray(items);
}

/** The place in a list that a cursor names: after one entry and, should that be gone by then, before another one. */
export interface Place {
  readonly after: string;
  readonly before?: string | undefined;
}

/** Longest key that has a cursor: clients take cursors of 65,536 characters, and this one may come to six times its length. */
const maxKey = 8_192;

/**
 * Makes the cursor of a place in the list of a method; undefined where that would be too long. It holds all there is to know, so
 * any process that offers the same list can go on from it.
 */
export function cursorOf(method: string, { after, before }: Place): string | undefined {
  if (after.length > maxKey) return undefined;
  const known = before === undefined || before.length > maxKey ? [method, after] : [method, after, before];
  let binary = '';
  // Escaped, so that a name which is no well-formed text comes back as it was.
  for (const byte of new TextEncoder().encode(JSON.stringify(known))) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Reads a cursor of this method's list; undefined for one of another list, and for anything that {@link cursorOf} did not make. */
export function placeOf(method: string, cursor: string): Place | undefined {
  let known: unknown;
  try {
    const binary = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
    known = JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (one) => one.charCodeAt(0))));
  } catch {
    return undefined;
  }
  if (!Array.isArray(known)) return undefined;
  const [of, after, before] = known as readonly unknown[];
  if (of !== method || typeof after !== 'string') return undefined;
  if (before !== undefined && typeof before !== 'string') return undefined;
  const place = { after, before };
  // One place has one cursor: other spellings of it are made up.
  return cursorOf(method, place) === cursor ? place : undefined;
}
