import { defer, EMPTY, throwError, timer } from 'rxjs';
import type { Observable } from 'rxjs';
import { concat, catchError, mergeMap, tap } from 'rxjs';
import { TransportError } from '@rxmcp/transport';
import { McpError } from '../errors.js';

/** Options of {@link reconnect}. */
export interface ReconnectOptions {
  /** Tries in a row before the error goes through; stable time refills it. @default Infinity */
  readonly attempts?: number;
  /** How long a connection has to live to count as stable, in milliseconds. @default 30_000 */
  readonly stableAfterMs?: number;
  /** Takes a random part of each delay, so that many clients do not come back at once. @default true */
  readonly jitter?: boolean;
  /** First delay in milliseconds; each further one is 1.5 times as long, up to 30 s. @default 1_000 */
  readonly delayMs?: number;
}

/**
 * Subscribes again to a stream built on `client.live(transport)` when its connection is lost or ends in order. Errors of
 * the peer, of authorization, and calls whose outcome is unknown for another reason than a lost connection go through.
 * For ever by default.
 */
export function reconnect(options: ReconnectOptions = {}): <T>(source: Observable<T>) => Observable<T> {
  const { attempts = Infinity, stableAfterMs = 30_000, jitter = true, delayMs = 1_000 } = options;
  return <T>(source: Observable<T>): Observable<T> =>
    defer(() => {
      let failures = 0;
      let since: number | undefined;
      const again = (cause: unknown): Observable<T> => {
        if (since !== undefined && performance.now() - since >= stableAfterMs) failures = 0;
        since = undefined;
        failures += 1;
        if (failures > attempts) return cause === undefined ? EMPTY : throwError(() => cause);
        const delay = Math.min(delayMs * 1.5 ** (failures - 1), 30_000);
        return timer(jitter ? Math.random() * delay : delay).pipe(mergeMap(round));
      };
      const round = (): Observable<T> =>
        concat(
          source.pipe(
            tap(() => {
              since ??= performance.now();
            }),
          ),
          defer(() => again(undefined)),
        ).pipe(
          catchError((error: unknown) => (worthAnotherTry(error) ? again(error) : throwError(() => error))),
        );
      return round();
    });
}

function worthAnotherTry(error: unknown): boolean {
  if (TransportError.is(error)) return error.code !== 'DIAL_ABORTED';
  return McpError.is(error, 'CLOSED');
}
