import { TransportError } from '@rxmcp/transport';
import { rejectUnknownOptions } from '@rxmcp/transport/internal';
import { Observable } from 'rxjs';
import { refTimer } from '../base/clock.js';
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
 * @example
 * client.live(http('https://example.com/mcp')).pipe(
 *   switchMap((remote) => tools(remote).list$),
 *   reconnect({ maxAttempts: 5 }),
 * ).subscribe((list) => console.log(list.length));
 */
export function reconnect(options: ReconnectOptions = {}): <T>(source: Observable<T>) => Observable<T> {
  rejectUnknownOptions('reconnect', options, knownOptions, {
    attempts: 'maxAttempts',
    delayMs: 'initialDelayMs',
  });
  const { maxAttempts = Infinity, stableAfterMs = 30_000, jitter = true, initialDelayMs = 1_000 } = options;
  return <T>(source: Observable<T>): Observable<T> =>
    // Not RxJS operators: every server would load them when it starts.
    new Observable<T>((subscriber) => {
      let failures = 0;
      let since: number | undefined;
      let alarm: ReturnType<typeof setTimeout> | undefined;
      const attempt = (): void => {
        subscriber.add(
          source.subscribe({
            next: (value) => {
              since ??= performance.now();
              subscriber.next(value);
            },
            error: (error) => {
              if (worthAnotherTry(error)) again(() => subscriber.error(error));
              else subscriber.error(error);
            },
            // The end counts as a failure.
            complete: () => again(() => subscriber.complete()),
          }),
        );
      };
      const again = (stop: () => void): void => {
        if (subscriber.closed) return;
        if (since !== undefined && performance.now() - since >= stableAfterMs) failures = 0;
        since = undefined;
        failures += 1;
        if (failures > maxAttempts) {
          stop();
          return;
        }
        const delayMs = Math.min(initialDelayMs * 1.5 ** (failures - 1), 30_000);
        alarm = refTimer(attempt, jitter ? Math.random() * delayMs : delayMs);
      };
      attempt();
      return () => clearTimeout(alarm);
    });
}

function worthAnotherTry(error: unknown): boolean {
  if (TransportError.is(error) && final.has(error.code)) return false;
  if (isConnectionLoss(error)) return true;
  if (TransportError.is(error)) return error.outcome === 'not-sent';
  return RxmcpError.is(error) && error.outcome === 'not-sent' && notFinal.has(error.code);
}

// Connecting again would not help: the user aborted, or authorization failed.
const final: ReadonlySet<TransportError['code']> = new Set<TransportError['code']>([
  'DIAL_ABORTED',
  'UNAUTHORIZED',
  'REJECTED',
]);

// The remote closed, or opening took too long. A call that timed out has another outcome.
const notFinal: ReadonlySet<RxmcpError['code']> = new Set<RxmcpError['code']>(['CLOSED', 'TIMEOUT']);
