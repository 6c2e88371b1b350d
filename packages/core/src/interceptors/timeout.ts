import { atLeast } from '../base/checks.js';
import { heldTimer } from '../base/clock.js';
import { McpError, RpcError } from '../base/errors.js';
import { quoted } from '../base/names.js';
import type { ExchangeEvent, Intercepted, Interceptor } from '../contract/interceptor.js';
import { callStream } from '../streams/call.js';

/** Options of {@link timeout}; one of them at least. */
export interface TimeoutOptions {
  /** Longest time without progress, a log or the result, in milliseconds. @default Infinity */
  readonly eachMs?: number;
  /** Longest time in all, in milliseconds. @default Infinity */
  readonly totalMs?: number;
}

/** The code by which a server says that its handler took too long. */
export const TOOK_TOO_LONG = -31004;

/**
 * Gives an exchange up that takes too long: at a client with TIMEOUT, at a server with -31004. Among `interceptors` of a
 * client it counts the time in which its own user is asked, among `perAttempt` it does not. Throws a TypeError for what is
 * no duration, and without any limit.
 */
export function timeout(options: TimeoutOptions): Interceptor {
  if (options.eachMs === undefined && options.totalMs === undefined)
    throw new TypeError('timeout has nothing to limit: give it eachMs, totalMs or both');
  const eachMs = atLeast(0, 'eachMs', options.eachMs ?? Infinity);
  const totalMs = atLeast(0, 'totalMs', options.totalMs ?? Infinity);
  return (exchange, next) =>
    callStream<ExchangeEvent>((sink) => {
      const late = (why: string) => (): void => {
        end();
        sink.error(lateness(exchange, why));
      };
      const silent = late(`gave no sign of life for ${eachMs} ms`);
      let each = alarm(silent, eachMs);
      const total = alarm(late(`did not finish within ${totalMs} ms`), totalMs);
      const end = (): void => {
        clearTimeout(each);
        clearTimeout(total);
        subscription?.unsubscribe();
      };
      let subscription = undefined as { unsubscribe(): void } | undefined;
      subscription = next().subscribe({
        next(event) {
          clearTimeout(each);
          if (event.type === 'result') clearTimeout(total);
          else each = alarm(silent, eachMs);
          sink.next(event);
        },
        error: (error) => sink.error(error),
        complete: () => sink.complete(),
      });
      return { cancel: end };
    });
}

function alarm(callback: () => void, ms: number): ReturnType<typeof setTimeout> | undefined {
  // Beyond this a timer of the platform rings at once.
  return ms > 0x7fffffff ? undefined : heldTimer(callback, ms);
}

function lateness({ side, method }: Intercepted, why: string): Error {
  const message = `${quoted(method)} ${why}`;
  return side === 'server'
    ? new RpcError(TOOK_TOO_LONG, message)
    : new McpError('TIMEOUT', message, { outcome: 'unknown', retryable: true });
}
