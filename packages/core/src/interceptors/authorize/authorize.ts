import { catchError, map, throwError } from 'rxjs';
import type { Observable } from 'rxjs';
import { quoted } from '../../base/message-text.js';
import type { Caller } from '../../contract/context.js';
import type {
  ResponseEvent,
  InterceptedRequest,
  Interceptor,
  NotFoundCapable,
  Next,
} from '../../contract/interceptor.js';
import { notFound } from '../../contract/interceptor.js';
import { withGuard, markSide } from '../interceptor-marks.js';
import { spellings } from '../uri-spellings.js';
import type { ItemKind } from './requested-item.js';
import { hideNotFoundDetails, listMethods, notFoundError, requestTarget } from './requested-item.js';
import { visibleList } from './visible-list.js';

/** Configures {@link authorize}. */
export interface AuthorizeOptions {
  /**
   * Returns whether a caller may see and use an item: a tool or prompt by name, a resource by URI, a template by
   * its text. Called for every list entry and every use, so it must be fast. An error rejects.
   */
  readonly allow: (caller: Caller, kind: ItemKind, item: string) => boolean;
}

/**
 * Restricts what each caller of a server can see and use: in lists, calls, reads, prompts, completion, watches and
 * notifications. A hidden item causes the same error as a missing one. Results of lists and reads become `private`.
 * A URI is allowed if all its spellings are, including those that a file system and `fetch` would see. Later
 * interceptors do not see requests that are rejected, so put it after interceptors with other rules.
 */
export function authorize({ allow }: AuthorizeOptions): Interceptor {
  const may = (caller: Caller, kind: ItemKind, item: string): boolean => {
    if (kind === 'resource') return spellings(item).every((uri) => allow(caller, kind, uri));
    return allow(caller, kind, item);
  };
  // Outside of a request there is no place to report an error of `allow`.
  const mayQuietly = (caller: Caller, kind: ItemKind, item: string): boolean => {
    try {
      return may(caller, kind, item);
    } catch {
      return false;
    }
  };
  const reported = new WeakSet<InterceptedRequest>();
  const allows = (exchange: InterceptedRequest, kind: ItemKind, item: string): boolean => {
    try {
      return may(exchange.caller, kind, item);
    } catch (cause) {
      if (!reported.has(exchange)) {
        const message = `authorize: "allow" threw for ${kind} ${quoted(item)}, which refuses it`;
        exchange.fault({ code: 'AUTHORIZE_FAILED', message, cause });
      }
      reported.add(exchange);
      return false;
    }
  };
  const filterList = visibleList(allows);

  const interceptor = (exchange: InterceptedRequest, next: Next): ReturnType<Interceptor> => {
    const { method, params } = exchange;
    if (listMethods.has(method)) return filterList(exchange, next);
    const item = requestTarget(method, params);
    if (item === undefined) return next();
    // Both paths use the same error text: a hint at similar names could reveal hidden items.
    const withPlainError = catchError<ResponseEvent, Observable<never>>((error: unknown) =>
      throwError(() => hideNotFoundDetails(item, error)),
    );
    if (!allows(exchange, item.kind, item.name))
      return withPlainError(
        (exchange as NotFoundCapable)[notFound]?.(params) ?? throwError(() => notFoundError(item)),
      );
    return withPlainError(next()).pipe(
      map((event) =>
        event.type === 'result' && method === 'resources/read'
          ? { ...event, result: { ...event.result, cacheScope: 'private' } }
          : event,
      ),
    );
  };
  return withGuard(markSide('server', 'authorize', interceptor), {
    canWatch: (caller, uri) => mayQuietly(caller, 'resource', uri),
    sees(caller, method, entry) {
      const list = listMethods.get(method);
      const item = list === undefined ? undefined : entry[list.key];
      return list === undefined || (typeof item === 'string' && mayQuietly(caller, list.kind, item));
    },
    hides(caller, method, params) {
      const item = requestTarget(method, params);
      return item !== undefined && !mayQuietly(caller, item.kind, item.name);
    },
  });
}
