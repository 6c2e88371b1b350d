import { checkMinimum } from '../base/checks.js';
import { rejectRenamedOptions } from '@rxmcp/transport/internal';
import { refTimer } from '../base/clock.js';
import { RxmcpError, RpcError } from '../base/errors.js';
import { quoted } from '../base/message-text.js';
import type { ResponseEvent, InterceptedRequest, Interceptor } from '../contract/interceptor.js';
import { callStream } from '../streams/call.js';

/** Options of {@link timeout}; one of them at least. */
export interface TimeoutOptions {
  /** Longest time without progress, a log or the result, in milliseconds. @default Infinity */
  readonly idleTimeoutMs?: number;
  /** Longest time in all, in milliseconds. @default Infinity */
  readonly totalTimeoutMs?: number;
}

/** The code by which a server says that its handler took too long. */
export const DEADLINE_EXCEEDED = -31004;

/**
 * Gives an exchange up that takes too long: at a client with TIMEOUT, at a server with -31004. Among `interceptors` of a
 * client it counts the time in which its own user is asked, among `attemptInterceptors` it does not. Throws a TypeError for what is
 * no duration, and without any limit.
 */
export function timeout(options: TimeoutOptions): Interceptor {
  rejectRenamedOptions('timeout', options, { eachMs: 'idleTimeoutMs', totalMs: 'totalTimeoutMs' });
  if (options.idleTimeoutMs === undefined && options.totalTimeoutMs === undefined)
    throw new TypeError('`timeout` needs idleTimeoutMs, totalTimeoutMs or both');
  const idleTimeoutMs = checkMinimum(0, 'idleTimeoutMs', options.idleTimeoutMs ?? Infinity);
  const totalTimeoutMs = checkMinimum(0, 'totalTimeoutMs', options.totalTimeoutMs ?? Infinity);
  return (exchange, next) =>
    callStream<ResponseEvent>((sink) => {
      const late = (why: string) => (): void => {
        end();
        sink.error(lateness(exchange, why));
      };
      const silent = late(`sent no response or progress for ${idleTimeoutMs} ms`);
      let each = alarm(silent, idleTimeoutMs);
      const total = alarm(late(`did not finish within ${totalTimeoutMs} ms`), totalTimeoutMs);
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
          else each = alarm(silent, idleTimeoutMs);
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
  return ms > 0x7fffffff ? undefined : refTimer(callback, ms);
}

function lateness({ side, method }: InterceptedRequest, why: string): Error {
  const message = `${quoted(method)} ${why}`;
  return side === 'server'
    ? new RpcError(DEADLINE_EXCEEDED, message)
    : new RxmcpError('TIMEOUT', message, { outcome: 'unknown', retryable: true });
}
