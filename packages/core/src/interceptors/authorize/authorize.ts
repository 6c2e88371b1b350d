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

/** Options of {@link authorize}. */
export interface AuthorizeOptions {
  /**
   * Whether a caller may see and use something: a tool or prompt by its name, a resource by its uri, a template by its text.
   * Asked for every entry of every list and for every use, so it has to be quick; what it throws refuses.
   */
  readonly allow: (caller: Caller, kind: ItemKind, item: string) => boolean;
}

/**
 * Shows each caller what it may use, and fails for the rest in the very way it fails for what is not there: in lists, calls, reads,
 * prompts, completion and watches of a server, and in the notices of what it watches. Results of lists and reads become `private`.
 * A uri is allowed when all its spellings are, the one that a file system would see among them. What stands behind it sees nothing
 * of a use that is not allowed: it belongs behind all that refuses by other rules.
 */
export function authorize({ allow }: AuthorizeOptions): Interceptor {
  const may = (caller: Caller, kind: ItemKind, item: string): boolean => {
    if (kind === 'resource') return spellings(item).every((uri) => allow(caller, kind, uri));
    return allow(caller, kind, item);
  };
  // Outside of an exchange there is nobody who could be told of what is thrown.
  const surely = (caller: Caller, kind: ItemKind, item: string): boolean => {
    try {
      return may(caller, kind, item);
    } catch {
      return false;
    }
  };
  const told = new WeakSet<InterceptedRequest>();
  const allows = (exchange: InterceptedRequest, kind: ItemKind, item: string): boolean => {
    try {
      return may(exchange.caller, kind, item);
    } catch (cause) {
      if (!told.has(exchange)) {
        const message = `authorize: "allow" threw for ${kind} ${quoted(item)}, which refuses it`;
        exchange.fault({ code: 'AUTHORIZE_FAILED', message, cause });
      }
      told.add(exchange);
      return false;
    }
  };
  const shown = visibleList(allows);

  const interceptor = (exchange: InterceptedRequest, next: Next): ReturnType<Interceptor> => {
    const { method, params } = exchange;
    if (listMethods.has(method)) return shown(exchange, next);
    const item = requestTarget(method, params);
    if (item === undefined) return next();
    // Both ways are cut down to the same words: a hint at what there is besides could name what this caller may not see.
    const inWords = catchError<ResponseEvent, Observable<never>>((error: unknown) =>
      throwError(() => hideNotFoundDetails(item, error)),
    );
    if (!allows(exchange, item.kind, item.name))
      return inWords(
        (exchange as NotFoundCapable)[notFound]?.(params) ?? throwError(() => notFoundError(item)),
      );
    return inWords(next()).pipe(
      map((event) =>
        event.type === 'result' && method === 'resources/read'
          ? { ...event, result: { ...event.result, cacheScope: 'private' } }
          : event,
      ),
    );
  };
  return withGuard(markSide('server', 'authorize', interceptor), {
    canWatch: (caller, uri) => surely(caller, 'resource', uri),
    sees(caller, method, entry) {
      const list = listMethods.get(method);
      const item = list === undefined ? undefined : entry[list.key];
      return list === undefined || (typeof item === 'string' && surely(caller, list.kind, item));
    },
    hides(caller, method, params) {
      const item = requestTarget(method, params);
      return item !== undefined && !surely(caller, item.kind, item.name);
    },
  });
}
