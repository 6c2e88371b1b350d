import {
  BehaviorSubject,
  catchError,
  combineLatest,
  defer,
  distinctUntilChanged,
  map,
  NEVER,
  type Observable,
  of,
  shareReplay,
  switchMap,
} from 'rxjs';
import { defineClient, type Remote } from 'rxmcp';
import type { Transport } from 'rxmcp/transport';
import { Asks } from './asks.js';
import { type Catalog, catalogOf, emptyCatalog, type Item, kinds } from './catalog.js';
import { type Session, sessionOf } from './session.js';

/** Where to connect to. */
export interface Target {
  readonly url: string;
  /** Sent as a bearer token; `''` = none. */
  readonly token: string;
  /** The `file:` URLs that the server may know. */
  readonly roots: readonly string[];
}

/** What the page shows next to an item. */
export const views = [...kinds, 'log', 'wire'] as const;

/** The state of the page. Nothing is connected while nothing subscribes. */
export class App {
  readonly asks = new Asks();
  readonly target$ = new BehaviorSubject<Target | undefined>(undefined);
  readonly view$ = new BehaviorSubject<(typeof views)[number]>('tools');
  /** The key of the item that is shown. */
  readonly selected$ = new BehaviorSubject<string | undefined>(undefined);

  readonly session$: Observable<Session>;
  /** The open remote. */
  readonly remote$: Observable<Remote | undefined>;
  /** What the server offers; what it offered, while the connection is opened again. */
  readonly catalog$: Observable<Catalog>;
  /** The item that is shown. It stays the same as long as its entry in the list does. */
  readonly item$: Observable<Item | undefined>;

  constructor(transportOf: (target: Target) => Transport) {
    this.session$ = this.target$.pipe(
      switchMap((target) =>
        target === undefined ? of<Session>({ state: 'closed' }) : this.#connected(target, transportOf),
      ),
      shared,
    );
    this.remote$ = this.session$.pipe(
      map((session) => (session.state === 'open' ? session.remote : undefined)),
      distinctUntilChanged(),
      shared,
    );
    this.catalog$ = this.session$.pipe(
      map((session) => (session.state === 'open' ? session.remote : session.state)),
      distinctUntilChanged(),
      switchMap((at) => {
        if (at === 'connecting') return NEVER;
        return typeof at === 'string' ? of(emptyCatalog) : catalogOf(at);
      }),
      shared,
    );
    this.item$ = combineLatest([this.selected$, this.catalog$]).pipe(
      map(([key, { items }]) => items.find((item) => item.key === key)),
      distinctUntilChanged((a, b) => JSON.stringify(a) === JSON.stringify(b)),
    );
  }

  /** Shows an item. */
  select({ key, kind }: Item): void {
    this.view$.next(kind);
    this.selected$.next(key);
  }

  #connected(target: Target, transportOf: (target: Target) => Transport): Observable<Session> {
    // Neither a transport nor a root is made of an invalid URL.
    return defer(() => {
      const roots = target.roots.map((uri) => ({ uri }));
      const info = { name: 'rxmcp-playground', version: '1.0.0' };
      return sessionOf(defineClient({ info, offers: this.asks.offers(roots) }), transportOf(target));
    }).pipe(catchError((cause: unknown) => of<Session>({ state: 'failed', cause })));
  }
}

function shared<T>(source: Observable<T>): Observable<T> {
  return source.pipe(shareReplay({ bufferSize: 1, refCount: true }));
}
