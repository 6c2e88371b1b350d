import { INTERNAL_ERROR, INVALID_PARAMS, OVERLOADED } from '@rxmcp/jsonrpc';
import { rejectRenamedOptions } from '@rxmcp/transport/internal';
import { TransportError } from '@rxmcp/transport';
import { catchError, of, tap, throwError } from 'rxjs';
import type { Observable } from 'rxjs';
import { checkMinimum } from '../../base/checks.js';
import { RxmcpError, RpcError } from '../../base/errors.js';
import type { ResponseEvent, InterceptedRequest, Interceptor } from '../../contract/interceptor.js';
import { markSide } from '../interceptor-marks.js';
import type { CacheBounds } from './cache-store.js';
import { CacheStore, isAffectedBy, ownKey, subjectOf } from './cache-store.js';
import { SharedRequests } from './shared-requests.js';

/** Options of {@link cache}. */
export interface CacheOptions {
  /** Results kept for one remote. @default 1_000 */
  readonly maxEntries?: number;
  /** About how many bytes they take together. @default 16_777_216 */
  readonly maxBytes?: number;
  /** How long a result that is not fresh any more may stand in for one that cannot be had, in milliseconds. @default 300_000 */
  readonly staleIfErrorMs?: number;
  /**
   * Names who the calls are made for, such as a digest of the token of the moment: what is `private` is not shared between
   * names. @default one for the whole remote
   */
  readonly partitionKey?: (exchange: InterceptedRequest) => string;
}

/**
 * Keeps lists and readings of a client as long as their server allows (spec 2026-07-28 server/utilities/caching), and has
 * those who ask for the same at a time share one request. A notice of a change makes it forget at once what the change
 * concerns, a new connection everything. Belongs among the `interceptors` of a client. Throws a TypeError for what is no
 * number.
 */
export function cache(options: CacheOptions = {}): Interceptor {
  rejectRenamedOptions('cache', options, { authorization: 'partitionKey' });
  const bounds: CacheBounds = {
    maxEntries: checkMinimum(0, 'maxEntries', options.maxEntries ?? 1_000),
    maxBytes: checkMinimum(0, 'maxBytes', options.maxBytes ?? 16_777_216),
    staleIfErrorMs: checkMinimum(0, 'staleIfErrorMs', options.staleIfErrorMs ?? 300_000),
  };
  const { partitionKey = () => '' } = options;
  const kept = new WeakMap<object, Kept>();
  const keptFor = ({ owner, changes$ }: InterceptedRequest): Kept => {
    let found = kept.get(owner);
    if (found === undefined) {
      const made: Kept = { store: new CacheStore(bounds), flights: new SharedRequests() };
      kept.set(owner, (found = made));
      changes$.subscribe((topic) => {
        made.store.forget(topic);
        made.flights.part((subject) => isAffectedBy(topic, subject));
      });
    }
    return found;
  };

  return markSide('client', 'cache', (exchange, next) => {
    const subject = exchange.side === 'client' ? subjectOf(exchange.method, exchange.params) : undefined;
    if (subject === undefined) return next();
    const { store, flights } = keptFor(exchange);
    const who = partitionKey(exchange);
    const fresh = store.find(subject, who, false);
    if (fresh !== undefined) return of({ type: 'result', result: fresh });
    return flights.join(ownKey(subject, who), subject, (flight) =>
      next().pipe(
        tap((event) => {
          // What came of questions was made of their answers.
          if (event.type === 'result' && !flight.isOld && exchange.rounds === 0)
            store.keep(subject, who, event.result);
        }),
        catchError((error: unknown): Observable<ResponseEvent> => {
          // A cursor that is not known any more comes from a list that is not there any more.
          if ('list' in subject.topic && RpcError.is(error) && error.code === INVALID_PARAMS)
            store.forget(subject.topic);
          const stale = isPassing(error) ? store.find(subject, who, true) : undefined;
          return stale === undefined ? throwError(() => error) : of({ type: 'result', result: stale });
        }),
      ),
    );
  });
}

interface Kept {
  readonly store: CacheStore;
  readonly flights: SharedRequests;
}

// A failure that says nothing of what was asked for.
function isPassing(error: unknown): boolean {
  if (RpcError.is(error)) return error.code === OVERLOADED || error.code === INTERNAL_ERROR;
  return (
    TransportError.is(error) || RxmcpError.is(error, 'TIMEOUT') || RxmcpError.is(error, 'TOO_MANY_CALLS')
  );
}
