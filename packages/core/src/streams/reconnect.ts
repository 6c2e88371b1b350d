import { TransportError } from '@rxmcp/transport';
import { rejectUnknownOptions } from '@rxmcp/transport/internal';
import type { Observable } from 'rxjs';
import { concat, defer, EMPTY, retry, tap, throwError, timer } from 'rxjs';
import { isConnectionLoss } from '../base/error-marks.js';
import { RxmcpError } from '../base/errors.js';

/** Configures {@link reconnect}. */
export interface ReconnectOptions {
  /** The number of attempts in a row before the error is final. A stable connection resets it. @default Infinity */
  readonly maxAttempts?: number;
  /** How long a connection must live to count as stable, in milliseconds. @default 30_000 */
  readonly stableAfterMs?: number;
  /** Whether each delay is a random part of its length, so that many clients do not return at once. @default true */
  readonly jitter?: boolean;
  /** The first delay, in milliseconds. Each further one is 1.5 times as long, up to 30 s. @default 1_000 */
  readonly initialDelayMs?: number;
}

const knownOptions: Record<keyof ReconnectOptions, true> = {
  maxAttempts: true,
  stableAfterMs: true,
  jitter: true,
  initialDelayMs: true,
};

/**
 * Resubscribes to a stream built on `client.live(transport)` when its connection is lost, ends in order or cannot
 * be opened. Errors of the peer and of authorization are final. So is the error of a call that was in flight,
 * because it may have run.
 *
 * @stream scoped
 */
export function reconnect(options: ReconnectOptions = {}): <T>(source: Observable<T>) => Observable<T> {
  rejectUnknownOptions('reconnect', options, knownOptions, {
    attempts: 'maxAttempts',
    delayMs: 'initialDelayMs',
  });
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
      // The end counts as a failure, so that one operator handles both. Nested retries would grow with each
      // reconnection.
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

// Connecting again would not help: the user aborted, or authorization failed.
const final: ReadonlySet<TransportError['code']> = new Set<TransportError['code']>([
  'DIAL_ABORTED',
  'UNAUTHORIZED',
  'REJECTED',
]);

// The remote closed, or opening took too long. A call that timed out has another outcome.
const again: ReadonlySet<RxmcpError['code']> = new Set<RxmcpError['code']>(['CLOSED', 'TIMEOUT']);
