import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Observable } from 'rxjs';
import { ignoreElements, tap } from 'rxjs';
import { isObject } from '../../base/checks.js';
import type { ResponseEvent, InterceptedRequest, NextFunction } from '../../contract/interceptor.js';
import { cursorOf, placeOf } from '../../offers/list-pages.js';
import { callStream } from '../../streams/call.js';
import { hasText, keepText } from '../prepared-results.js';
import type { ItemKind, ListOf } from './requested-item.js';
import { listMethods } from './requested-item.js';

type Allows = (exchange: InterceptedRequest, kind: ItemKind, item: string) => boolean;

/** The number of different views of one page whose texts are cached. */
const maxViews = 64;

/** The number of consecutive pages without a visible entry after which a list fails. */
const maxHidden = 1_000;

/** A key that no entry has. It replaces hidden keys, so that a cursor with it is read like one of a removed entry. */
const removedKey = '\u0000';

/**
 * Removes the entries that a caller may not see. Callers who see the same entries share one text. Cursors name no
 * hidden entries, and a cursor that does is read as if the entry was removed. Skips up to 1,000 consecutive pages
 * without a visible entry.
 */
export function visibleList(
  allows: Allows,
): (exchange: InterceptedRequest, next: NextFunction) => Observable<ResponseEvent> {
  const views = new WeakMap<JsonObject, Map<string, JsonObject>>();

  const view = (exchange: InterceptedRequest, list: ListOf, result: JsonObject): JsonObject => {
    const { method } = exchange;
    const entries = result[list.member];
    if (!Array.isArray(entries)) return result;
    const seen = entries.map((entry: unknown) => {
      const key = isObject(entry) ? entry[list.key] : undefined;
      return typeof key === 'string' && allows(exchange, list.kind, key);
    });
    if (!hasText(result)) return cut(method, list, result, entries, seen);
    let known = views.get(result);
    if (known === undefined) views.set(result, (known = new Map()));
    const signature = seen.map(Number).join('');
    let made = known.get(signature);
    if (made === undefined) {
      made = cut(method, list, result, entries, seen);
      if (known.size < maxViews) known.set(signature, keepText(made));
    }
    return made;
  };

  return (exchange, next) => {
    const { method, params } = exchange;
    const list = listMethods.get(method) as ListOf;
    return callStream((sink) => {
      let given: JsonObject | undefined = seenFrom(params, method, (key) => allows(exchange, list.kind, key));
      let [pages, busy, over] = [0, false, false];
      let subscription: { unsubscribe(): void } | undefined;
      const take = (event: ResponseEvent): void => {
        if (event.type !== 'result') return sink.next(event);
        const result = view(exchange, list, event.result);
        const left = result[list.member];
        const { nextCursor } = event.result;
        if (!Array.isArray(left) || left.length > 0 || typeof nextCursor !== 'string')
          return sink.next({ ...event, result });
        pages += 1;
        if (pages >= maxHidden) throw new Error(`the caller may see no entry of ${pages} pages in a row`);
        given = { ...params, cursor: nextCursor };
      };
      const end = (error: unknown): void => {
        over = true;
        sink.error(error);
      };
      // A loop, because nested synchronous pages would overflow the stack.
      const go = (): void => {
        if (busy) return;
        busy = true;
        while (given !== undefined && !over) {
          const page: JsonObject = given;
          given = undefined;
          let done = false;
          subscription = next(page)
            .pipe(tap(take), ignoreElements())
            .subscribe({
              error: end,
              complete() {
                done = true;
                if (given === undefined) sink.complete();
                else go();
              },
            });
          if (!done) break;
        }
        busy = false;
      };
      go();
      return {
        cancel() {
          over = true;
          subscription?.unsubscribe();
        },
      };
    });
  };
}

/** Returns the parameters with a cursor that names no hidden entry. */
function seenFrom(params: JsonObject, method: string, sees: (key: string) => boolean): JsonObject {
  const { cursor } = params;
  const place = typeof cursor === 'string' ? placeOf(method, cursor) : undefined;
  if (place === undefined) return params;
  const { after, before } = place;
  const seen = {
    after: sees(after) ? after : removedKey,
    before: before === undefined || sees(before) ? before : removedKey,
  };
  return seen.after === after && seen.before === before
    ? params
    : { ...params, cursor: cursorOf(method, seen) };
}

function cut(
  method: string,
  { member, key }: ListOf,
  result: JsonObject,
  entries: readonly unknown[],
  seen: readonly boolean[],
): JsonObject {
  const left = entries.filter((_entry, at) => seen[at]);
  const made: JsonObject = { ...result, [member]: left, cacheScope: 'private' };
  const { nextCursor } = result;
  if (left.length === 0 || typeof nextCursor !== 'string' || placeOf(method, nextCursor) === undefined)
    return made;
  // The cursor of the offer may name a hidden entry, so that this one names the last visible entry. An entry whose
  // key is too long for a cursor is skipped: repeating an entry is better than revealing one.
  const cursors = left.map((entry) => cursorOf(method, { after: (entry as JsonObject)[key] as string }));
  const last = cursors.filter((cursor) => cursor !== undefined).at(-1);
  if (last === undefined) delete made.nextCursor;
  else made.nextCursor = last;
  return made;
}
