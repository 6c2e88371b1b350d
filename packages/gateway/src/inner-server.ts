import type { CallOptions, Context, JsonObject, LogLevel, Remote } from '@rxmcp/core';
import type { RemoteLink } from '@rxmcp/core/internal';
import {
  afterInput,
  CallTurns,
  estimateBytes,
  getRemoteLink,
  HeldResponses,
  markPartial,
  memoryOf,
  quoted,
  Shares,
  singleLine,
} from '@rxmcp/core/internal';
import type { Observable } from 'rxjs';
import {
  catchError,
  connect,
  defer,
  filter,
  finalize,
  firstValueFrom,
  from,
  map,
  merge,
  NEVER,
  of,
  ReplaySubject,
  retry,
  share,
  switchMap,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import { HeldCalls } from './held-calls.js';
import type { GatewayItem, OfferRemoteOptions } from './options.js';
import { prefixCount, prefixedToolName } from './tool-name.js';

/** How long the lists of other servers wait for the first list of this one, in milliseconds. */
const firstListMs = 2_000;
const maxRetryMs = 30_000;
/** The number of resources of one server that are watched: as many as a server of rxmcp allows one connection. */
const maxWatches = 1_024;
/** The most items of one list of one server, their characters together, those of one item, and those of its name or URI. */
const maxItems = 10_000;
const maxListChars = 2_097_152;
const maxItemChars = 262_144;
const maxNameChars = 8_000;
/** A list of more items is merged with those of other servers in a turn of the event loop of its own. */
const largeList = 1_000;
/** The member that identifies an item. */
const keys = { tool: 'name', prompt: 'name', resource: 'uri', template: 'uriTemplate' } as const;
/** How often a name may have the prefix before the gateway adds it once more. */
const maxPrefixes = 2;

/** Another server, as the gateway uses it: its current connection, its lists, and the names under which it is offered. */
export class InnerServer {
  /** Undefined without a connection. */
  remote: Remote | undefined = undefined;
  /** Why there is no connection. */
  cause: unknown = undefined;
  readonly held = new HeldCalls();
  readonly turns = new CallTurns();
  /** The resources that are watched, by principal; anonymous callers are one. One alone watches half of them at most. */
  readonly watches = new Shares(maxWatches);
  #hasReportedCycle = false;
  #hasReportedSize = false;
  readonly #remotes$: Observable<Remote>;

  constructor(
    remotes$: Observable<Remote>,
    readonly options: OfferRemoteOptions,
  ) {
    this.#remotes$ = remotes$.pipe(
      tap((remote) => (this.remote = remote)),
      // The items stay: their requests fail with the cause.
      catchError((error: unknown) => {
        this.cause = error;
        return NEVER;
      }),
      finalize(() => (this.remote = undefined)),
      share({ connector: () => new ReplaySubject<Remote>(1) }),
    );
  }

  /** The name of the other server for users: the prefix, since a server could take the name of another one. */
  get name(): string {
    return this.options.prefix ?? singleLine(this.remote?.info?.name ?? 'remote', 100);
  }

  /** Returns the items of a list that are offered. One server must not make the lists of all others too large to be read. */
  offered<Kind extends keyof GatewayItem>(
    list: readonly GatewayItem[Kind][],
    kind: Kind,
  ): readonly GatewayItem[Kind][] {
    const kept: GatewayItem[Kind][] = [];
    let chars = 0;
    for (const item of list) {
      if (!this.#isOffered(item, kind)) continue;
      const own = JSON.stringify(item).length;
      const key = (item as unknown as Record<string, string>)[keys[kind]] as string;
      const isTooLong = key.length > maxNameChars || own > maxItemChars;
      if (isTooLong || chars + own > maxListChars || kept.length === maxItems)
        this.#reportSize(kind, key, own);
      else {
        kept.push(item);
        chars += own;
      }
    }
    return kept;
  }

  #isOffered<Kind extends keyof GatewayItem>(item: GatewayItem[Kind], kind: Kind): boolean {
    const { filter, prefix } = this.options;
    if (filter !== undefined && !filter(item, kind)) return false;
    // A gateway that reaches itself would add its prefix to its own items again and again.
    const isNamed = prefix !== undefined && (kind === 'tool' || kind === 'prompt');
    if (!isNamed || prefixCount(prefix, item.name) < maxPrefixes) return true;
    this.#reportCycle(kind, item.name);
    return false;
  }

  /** Returns the name under which an item is offered. */
  offeredName(name: string, kind: 'tool' | 'prompt'): string {
    const { prefix, rename } = this.options;
    const renamed = rename === undefined ? name : rename(name, kind);
    if (typeof renamed !== 'string' || (renamed === '' && name !== ''))
      throw new TypeError('offerRemote: "rename" must return a name');
    if (prefix === undefined) return renamed;
    return kind === 'tool' ? prefixedToolName(prefix, renamed) : `${prefix}-${renamed}`;
  }

  #reportSize(kind: string, key: string, chars: number): void {
    if (this.#hasReportedSize || this.remote === undefined) return;
    this.#hasReportedSize = true;
    getRemoteLink(this.remote).fault({
      code: 'INVALID_OFFER',
      message:
        `${kind} ${quoted(key)} of server ${quoted(this.name)}, with ${chars} characters, is left out: a list may have ${maxItems} ` +
        `items of ${maxListChars} characters in all, each of at most ${maxItemChars}, with a name or URI of at most ${maxNameChars}. ` +
        'Make the list shorter at that server, or leave out items with "filter"',
    });
  }

  #reportCycle(kind: 'tool' | 'prompt', name: string): void {
    if (this.#hasReportedCycle || this.remote === undefined) return;
    this.#hasReportedCycle = true;
    getRemoteLink(this.remote).fault({
      code: 'INVALID_OFFER',
      message:
        `${kind} ${quoted(name)} of server ${quoted(this.name)} is left out: its name has the prefix ${maxPrefixes} times. ` +
        'The gateway reaches itself through this server; if it does not, choose another prefix',
    });
  }

  /**
   * Follows something of each connection, one after the other. It never fails: after an error it follows again, while
   * the connection is open.
   */
  follow<T>(of: (link: RemoteLink, remote: Remote) => Observable<T>): Observable<T> {
    return this.#remotes$.pipe(
      switchMap((remote) => {
        const link = getRemoteLink(remote);
        const delay = (cause: unknown, attempt: number): Observable<unknown> => {
          if (isClosed(remote)) return NEVER;
          link.fault({
            code: 'OFFER_FAILED',
            message: `following ${quoted(this.name)} failed`,
            cause,
          });
          return timer(Math.min(maxRetryMs, 1_000 * 2 ** (attempt - 1)));
        };
        // An orderly end is no reason to withdraw the items either.
        return merge(of(link, remote).pipe(retry({ delay, resetOnSuccess: true })), NEVER);
      }),
    );
  }

  /** Returns what to wait for before a list can be used: the first one of the connection. */
  listed(list$: Observable<unknown>, isKnown: boolean): Promise<unknown> | undefined {
    return this.remote === undefined || !isKnown
      ? firstValueFrom(list$, { defaultValue: undefined })
      : undefined;
  }

  /**
   * Follows a list. If the first one takes long, an empty one precedes it, so that the lists of other servers need not wait; requests
   * of what none of them has do. After a loss the list stays, unless the memory of the process does not suffice.
   *
   * @param none What a server without items lists.
   */
  items<Entry, Item>(
    list: (remote: Remote) => Observable<Entry>,
    itemsOf: (entries: Entry) => readonly Item[],
    none: Entry,
  ): Observable<readonly Item[]> {
    return defer(() => {
      // A client is charged for its lists until its end.
      const held = new HeldResponses();
      let kept: readonly Item[] = [];
      const keep = (items: readonly Item[], bytes: number): boolean => {
        const isHeld = held.hold('list', bytes, `server ${this.name}`);
        kept = isHeld ? items : [];
        return isHeld;
      };
      const listed$ = this.follow((_link, remote) => list(remote).pipe(map(itemsOf))).pipe(
        tap((items) => keep(items, 0)),
        switchMap(inOwnTurn),
      );
      const lost$ = this.#remotes$.pipe(
        switchMap((remote) => remote.status$),
        filter(({ state }) => state === 'closed' && !keep(kept, memoryOf(estimateBytes(kept, Infinity)))),
        map(() => itemsOf(none)),
      );
      return merge(listed$, lost$).pipe(finalize(() => keep([], 0)));
    }).pipe(
      connect((items$) =>
        merge(
          items$,
          timer(firstListMs).pipe(
            map(() => markPartial<readonly Item[]>([])),
            takeUntil(items$),
          ),
        ),
      ),
    );
  }
}

function inOwnTurn<Item>(items: readonly Item[]): Observable<readonly Item[]> {
  if (items.length <= largeList) return of(items);
  return from(new Promise<readonly Item[]>((resolve) => afterInput(() => resolve(items))));
}

function isClosed(remote: Remote): boolean {
  let closed = false;
  remote.status$.subscribe(({ state }) => (closed = state === 'closed')).unsubscribe();
  return closed;
}

const isOwnMeta = (name: string): boolean =>
  name === 'progressToken' || name.startsWith('io.modelcontextprotocol/');

/** Returns the options of a call that is made for a request: the `_meta` and the log level of its caller. */
export function callOptions({ meta, logLevel }: Context & { readonly logLevel?: LogLevel }): CallOptions {
  const level = logLevel === undefined ? {} : { logLevel };
  // Most requests have no other members, and this is the path of every call.
  for (const name in meta) if (!isOwnMeta(name)) return { ...level, meta: othersOf(meta) };
  return level;
}

function othersOf(meta: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(meta).filter(([name]) => !isOwnMeta(name)));
}

/** Returns a list entry with its new name; the same object if the name is the same. */
export function renamed<Info extends { readonly name: string }>(info: Info, name: string): Info {
  return info.name === name ? info : { ...info, name };
}
