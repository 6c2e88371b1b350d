import { checkMinimum } from '../base/checks.js';
import { rejectUnknownOptions } from '@rxmcp/transport/internal';
import { refTimer } from '../base/clock.js';
import { RxmcpError, RpcError } from '../base/errors.js';
import { quoted } from '../base/message-text.js';
import { tearDown } from '../contract/faults.js';
import type { ResponseEvent, InterceptedRequest, Interceptor } from '../contract/interceptor.js';
import { callStream } from '../streams/call.js';

/** Configures {@link timeout}. At least one option is required. */
export interface TimeoutOptions {
  /** Longest time without progress, a log record or the result, in milliseconds. @default Infinity */
  readonly idleTimeoutMs?: number;
  /** Longest time of the whole request, in milliseconds. @default Infinity */
  readonly totalTimeoutMs?: number;
}

const knownOptions: Record<keyof TimeoutOptions, true> = {
  idleTimeoutMs: true,
  totalTimeoutMs: true,
};

/** The JSON-RPC code of a request whose handler took longer than {@link timeout} of the server allows. */
export const DEADLINE_EXCEEDED = -31004;

/**
 * Returns an interceptor, of a server or a client, that limits how long each request takes. The request fails with TIMEOUT on a client,
 * with -31004 on a server. Among the `interceptors` of a
 * client the time that its user takes to answer asks counts; among `attemptInterceptors` it does not.
 * @throws TypeError for durations that are not numbers, and without any limit
 */
export function timeout(options: TimeoutOptions): Interceptor {
  rejectUnknownOptions('timeout', options, knownOptions, {
    eachMs: 'idleTimeoutMs',
  });
  if (options.idleTimeoutMs === undefined && options.totalTimeoutMs === undefined)
    throw new TypeError('`timeout` needs idleTimeoutMs, totalTimeoutMs or both');
  const idleTimeoutMs = checkMinimum(0, 'idleTimeoutMs', options.idleTimeoutMs ?? Infinity);
  const totalTimeoutMs = checkMinimum(0, 'totalTimeoutMs', options.totalTimeoutMs ?? Infinity);
  return (exchange, next) =>
    callStream<ResponseEvent>((sink) => {
      const late = (why: string) => (): void => {
        tearDown(end, quoted(exchange.method), exchange);
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
  // Timers of the platform fire at once for longer durations.
  return ms > 0x7fffffff ? undefined : refTimer(callback, ms);
}

function lateness({ side, method }: InterceptedRequest, why: string): Error {
  const message = `${quoted(method)} ${why}`;
  return side === 'server'
    ? new RpcError(DEADLINE_EXCEEDED, message)
    : new RxmcpError('TIMEOUT', message, { outcome: 'unknown', retryable: true });
}
