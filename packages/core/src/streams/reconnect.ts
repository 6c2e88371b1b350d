import { TransportError } from '@rxmcp/transport';
import { rejectRenamedOptions } from '@rxmcp/transport/internal';
import type { Observable } from 'rxjs';
import { concat, defer, EMPTY, retry, tap, throwError, timer } from 'rxjs';
import { isConnectionLoss } from '../base/error-marks.js';
import { RxmcpError } from '../base/errors.js';

/** Options of {@link reconnect}. */
export interface ReconnectOptions {
  /** Tries in a row before the error goes through; stable time refills it. @default Infinity */
  readonly maxAttempts?: number;
  /** How long a connection has to live to count as stable, in milliseconds. @default 30_000 */
  readonly stableAfterMs?: number;
  /** Takes a random part of each delay, so that many clients do not come back at once. @default true */
  readonly jitter?: boolean;
  /** First delay in milliseconds; each further one is 1.5 times as long, up to 30 s. @default 1_000 */
  readonly initialDelayMs?: number;
}

/**
 * Subscribes again to a stream built on `client.live(transport)` when its connection is lost or ends in order, or cannot
 * be made. Errors of the peer and of authorization go through, and so does a call that was in flight when its connection
 * went: nobody knows whether it was done. For ever by default. @stream scoped
 */
export function reconnect(options: ReconnectOptions = {}): <T>(source: Observable<T>) => Observable<T> {
  rejectRenamedOptions('reconnect', options, { attempts: 'maxAttempts', delayMs: 'initialDelayMs' });
  const { maxAttempts = Infinity, stableAfterMs = 30_000, jitter = true, initialDelayMs = 1_000 } = options;
  return <T>(source: Observable<T>): Observable<T> =>
    defer(() => {
      let failures = 0;
      let since: number | undefined;
      const again = (cause: unknown): Observable<unknown> => {
        if (cause !== ended && !worthAnotherTry(cause)) return throwError(() => cause);
        if (since !== undefined && performance.now() - since >= stableAfterMs) failures = 0;
        since = undefined;
        failures += 1;
        if (failures > maxAttempts) return cause === ended ? EMPTY : throwError(() => cause);
        const delay = Math.min(initialDelayMs * 1.5 ** (failures - 1), 30_000);
        return timer(jitter ? Math.random() * delay : delay);
      };
      const living = tap<T>(() => {
        since ??= performance.now();
      });
      // The end counts as a failure, so that one operator comes back for both: chained rounds would grow with each.
      const failing = throwError(() => ended);
      return concat(source.pipe(living), failing).pipe(retry({ delay: again }));
    });
}

const ended = Symbol('ended');

function worthAnotherTry(error: unknown): boolean {
  if (TransportError.is(error) && final.has(error.code)) return false;
  if (isConnectionLoss(error)) return true;
  if (TransportError.is(error)) return error.outcome === 'not-sent';
  return RxmcpError.is(error) && error.outcome === 'not-sent' && again.has(error.code);
}

// Nobody wants it, or nobody may have it: coming again changes neither.
const final: ReadonlySet<TransportError['code']> = new Set<TransportError['code']>([
  'DIAL_ABORTED',
  'UNAUTHORIZED',
  'REJECTED',
]);

// A remote that has gone, and an opening that took too long; a call past its deadline has another outcome.
const again: ReadonlySet<RxmcpError['code']> = new Set<RxmcpError['code']>(['CLOSED', 'TIMEOUT']);
