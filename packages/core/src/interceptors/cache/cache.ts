import { INTERNAL_ERROR, INVALID_PARAMS, OVERLOADED } from '@rxmcp/jsonrpc';
import { rejectUnknownOptions } from '@rxmcp/transport/internal';
import { TransportError } from '@rxmcp/transport';
import { catchError, of, tap, throwError } from 'rxjs';
import type { Observable } from 'rxjs';
import { checkMinimum } from '../../base/checks.js';
import { RxmcpError, RpcError } from '../../base/errors.js';
import type { ResponseEvent, InterceptedRequest, Interceptor } from '../../contract/interceptor.js';
import { markSide } from '../interceptor-marks.js';
import type { CacheBounds } from './cache-store.js';
import { CacheStore, changeOf, isAffectedBy, ownKey, subjectOf } from './cache-store.js';
import { SharedRequests } from './shared-requests.js';

/** Configures {@link cache}. */
export interface CacheOptions {
  /** The number of results cached per remote. @default 1_000 */
  readonly maxEntries?: number;
  /** The estimated size of all cached results of a remote, in bytes. @default 16_777_216 */
  readonly maxBytes?: number;
  /** How long a stale result may replace a failed request, in milliseconds. @default 300_000 */
  readonly staleIfErrorMs?: number;
  /**
   * Names the identity that a call is made with, such as a digest of the current token. `private` results are not
   * shared between identities. @default one identity for the whole remote
   */
  readonly partitionKey?: (request: InterceptedRequest) => string;
}

const knownOptions: Record<keyof CacheOptions, true> = {
  maxEntries: true,
  maxBytes: true,
  staleIfErrorMs: true,
  partitionKey: true,
};

/**
 * Caches lists and reads of a client as long as the server allows. Concurrent identical requests share one. A
 * change notification removes what it invalidates; a new connection removes everything. For the `interceptors` of a
 * client.
 * @throws TypeError for limits that are not numbers
 * @see Spec 2026-07-28 server/utilities/caching
 */
export function cache(options: CacheOptions = {}): Interceptor {
  rejectUnknownOptions('cache', options, knownOptions, { authorization: 'partitionKey' });
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
      const made: Kept = { store: new CacheStore(bounds), requests: new SharedRequests() };
      kept.set(owner, (found = made));
      changes$.subscribe((change) => {
        const topic = changeOf(change);
        made.store.forget(topic);
        made.requests.detach((subject) => isAffectedBy(topic, subject));
      });
    }
    return found;
  };

  return markSide('client', 'cache', (request, next) => {
    const subject = request.side === 'client' ? subjectOf(request.method, request.params) : undefined;
    if (subject === undefined) return next();
    const { store, requests } = keptFor(request);
    const who = partitionKey(request);
    const fresh = store.find(subject, who, false);
    if (fresh !== undefined) return of({ type: 'result', result: fresh });
    return requests.join(ownKey(subject, who), subject, (shared) =>
      next().pipe(
        tap((event) => {
          // A result after asks depends on their answers.
          if (event.type === 'result' && !shared.isOld && request.rounds === 0)
            store.keep(subject, who, event.result);
        }),
        catchError((error: unknown): Observable<ResponseEvent> => {
          // The server no longer knows the cursor, so that its list has changed.
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
  readonly requests: SharedRequests;
}

// Whether a failure says nothing about what was requested.
function isPassing(error: unknown): boolean {
  if (RpcError.is(error)) return error.code === OVERLOADED || error.code === INTERNAL_ERROR;
  return (
    TransportError.is(error) || RxmcpError.is(error, 'TIMEOUT') || RxmcpError.is(error, 'TOO_MANY_CALLS')
  );
}
