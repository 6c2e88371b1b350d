import { catchError, map, throwError } from 'rxjs';
import type { Observable } from 'rxjs';
import { INSUFFICIENT_SCOPE } from '../../base/error-marks.js';
import { RpcError, RxmcpError } from '../../base/errors.js';
import { uriLengthProblem } from '../../base/key-length.js';
import { quoted } from '../../base/message-text.js';
import type { Caller } from '../../contract/context.js';
import type {
  ResponseEvent,
  InterceptedRequest,
  Interceptor,
  NotFoundCapable,
  NextFunction,
} from '../../contract/interceptor.js';
import { withGuard, markSide } from '../interceptor-marks.js';
import { spellings } from '../uri-spellings.js';
import type { ItemKind } from './requested-item.js';
import { hideNotFoundDetails, listMethods, notFoundError, requestTarget } from './requested-item.js';
import { visibleList } from './visible-list.js';

/** Configures {@link authorize}. At least one option is needed. */
export interface AuthorizeOptions {
  /**
   * Returns whether a caller may see and use an item: a tool or prompt by name, a resource by URI, a template by
   * its text. Called for every list entry and every use, so it must be fast. An error rejects. @default every item
   */
  readonly allow?: (caller: Caller, kind: ItemKind, item: string) => boolean;
  /**
   * Returns the scopes that a caller needs for an item, or for all requests of a method. Called as often as `allow`. An error rejects.
   * @default none
   */
  readonly scopesFor?: (kind: ItemKind | 'method', name: string) => readonly string[];
}

/**
 * Restricts what each caller of a server can see and use: in lists, calls, reads, prompts, completion, watches and
 * notifications. An item that is not allowed causes the same error as a missing one. A use of one for which the caller
 * lacks scopes fails with -31005 and all scopes that the request needs, which is status 403 over HTTP, so that the caller
 * can sign in for them. Results of lists and reads become `private`.
 * A URI is allowed if all its spellings are, including those that a file system and `fetch` would see. Later
 * interceptors do not see requests that are rejected, so put it after interceptors with other rules.
 * @throws TypeError without options
 */
export function authorize({ allow, scopesFor }: AuthorizeOptions): Interceptor {
  if (typeof allow !== 'function' && typeof scopesFor !== 'function')
    throw new TypeError('authorize needs a function: "allow", "scopesFor" or both');
  const isAllowed = (caller: Caller, kind: ItemKind, item: string): boolean => {
    if (allow === undefined) return true;
    if (kind === 'resource') return spellings(item).every((uri) => allow(caller, kind, uri));
    return allow(caller, kind, item);
  };
  const scopesOf = (kind: ItemKind, item: string): readonly string[] => {
    if (scopesFor === undefined) return [];
    return kind === 'resource'
      ? spellings(item).flatMap((uri) => scopesFor(kind, uri))
      : scopesFor(kind, item);
  };
  const may = (caller: Caller, kind: ItemKind, item: string): boolean =>
    isAllowed(caller, kind, item) && hasScopes(caller, scopesOf(kind, item));
  // Outside of a request there is no place to report an error of `allow`.
  const mayQuietly = (caller: Caller, kind: ItemKind, item: string): boolean => {
    try {
      return may(caller, kind, item);
    } catch {
      return false;
    }
  };
  const reported = new WeakSet<InterceptedRequest>();
  const judged =
    (judge: typeof may) =>
    (exchange: InterceptedRequest, kind: ItemKind, item: string): boolean => {
      try {
        return judge(exchange.caller, kind, item);
      } catch (cause) {
        if (!reported.has(exchange)) {
          const message = `authorize: a rule threw for ${kind} ${quoted(item)}, which rejects it`;
          exchange.fault({ code: 'AUTHORIZE_FAILED', message, cause });
        }
        reported.add(exchange);
        return false;
      }
    };
  const filterList = visibleList(judged(may));
  const allows = judged(isAllowed);

  const interceptor = (exchange: InterceptedRequest, next: NextFunction): ReturnType<Interceptor> => {
    const { method, params, caller } = exchange;
    const item = requestTarget(method, params);
    const needed = new Set(scopesFor?.('method', method));
    if (listMethods.has(method) || item === undefined) {
      if (!hasScopes(caller, needed)) return throwError(() => scopeError(method, needed));
      return listMethods.has(method) ? filterList(exchange, next) : next();
    }
    const problem = item.kind === 'resource' ? uriLengthProblem(item.name) : undefined;
    if (problem !== undefined)
      return throwError(() => new RxmcpError('INVALID_PARAMS', `${method}: ${problem}`));
    // Both paths use the same error text: a hint at similar names could reveal hidden items.
    const withPlainError = catchError<ResponseEvent, Observable<never>>((error: unknown) =>
      throwError(() => hideNotFoundDetails(item, error)),
    );
    if (!allows(exchange, item.kind, item.name))
      return withPlainError(
        (exchange as NotFoundCapable).notFound?.(params) ?? throwError(() => notFoundError(item)),
      );
    for (const scope of scopesOf(item.kind, item.name)) needed.add(scope);
    if (!hasScopes(caller, needed))
      return throwError(() => scopeError(`${method} ${quoted(item.name)}`, needed));
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

function hasScopes({ scopes = [] }: Caller, needed: Iterable<string>): boolean {
  for (const scope of needed) if (!scopes.includes(scope)) return false;
  return true;
}

function scopeError(what: string, needed: ReadonlySet<string>): RpcError {
  const requiredScopes = [...needed];
  const message = `${what} rejected: the caller needs the scopes ${requiredScopes.join(', ')}`;
  return new RpcError(INSUFFICIENT_SCOPE, message, { requiredScopes });
}
