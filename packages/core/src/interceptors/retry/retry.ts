import { checkMinimum } from '../../base/checks.js';
import { rejectUnknownOptions } from '@rxmcp/transport/internal';
import { refTimer } from '../../base/clock.js';
import { quoted } from '../../base/message-text.js';
import type { ResponseEvent, InterceptedRequest, Interceptor } from '../../contract/interceptor.js';
import { callStream } from '../../streams/call.js';
import { markSide } from '../interceptor-marks.js';
import { ListedTools } from '../listed-tools.js';
import { isDeclaredRepeatable, isRetryable, failureOutcome, readRetryAfterMs } from './retry-policy.js';

/** Configures {@link retry}. */
export interface RetryOptions {
  /** The number of attempts, including the first. @default 4 */
  readonly maxAttempts?: number;
  /** The pause before the second attempt, in milliseconds. It doubles each time. @default 250 */
  readonly initialDelayMs?: number;
  /** The longest pause, in milliseconds. If the peer asks for a longer one, the error is final. @default 30_000 */
  readonly maxDelayMs?: number;
  /** Whether each pause is a random part of its length, so that many clients do not retry at once. @default true */
  readonly jitter?: boolean;
  /**
   * Whether a request may run twice. An error means no and becomes a fault. @default lists, reads, prompts,
   * completion, and tools whose last listed annotations have `readOnlyHint` or `idempotentHint`
   */
  readonly isRepeatable?: (request: InterceptedRequest) => boolean;
}

const knownOptions: Record<keyof RetryOptions, true> = {
  maxAttempts: true,
  initialDelayMs: true,
  maxDelayMs: true,
  jitter: true,
  isRepeatable: true,
};

/**
 * Returns an interceptor of a client that repeats requests that were lost or temporarily rejected. A request that may have run is repeated only
 * if it is declared safe; otherwise it fails with outcome `unknown`. A request that was not sent, or that the peer
 * rejected with -31001 and `data.executed: false`, is always repeated, unless a round of asks was answered before.
 * @throws TypeError for options that are not numbers
 */
export function retry(options: RetryOptions = {}): Interceptor {
  rejectUnknownOptions('retry', options, knownOptions, {
    attempts: 'maxAttempts',
    delayMs: 'initialDelayMs',
    replayable: 'isRepeatable',
  });
  const attempts = checkMinimum(1, 'maxAttempts', options.maxAttempts ?? 4);
  const delayMs = checkMinimum(0, 'initialDelayMs', options.initialDelayMs ?? 250);
  const maxDelayMs = checkMinimum(0, 'maxDelayMs', options.maxDelayMs ?? 30_000);
  const tools = new ListedTools();
  const { jitter = true, isRepeatable = (request) => isDeclaredRepeatable(request, tools) } = options;

  return markSide('client', 'retry', (request, next) =>
    callStream<ResponseEvent>((sink) => {
      let tries = 0;
      let reached = -Infinity;
      let uncertain: unknown;
      let pause: ReturnType<typeof setTimeout> | undefined;
      let subscription: { unsubscribe(): void } | undefined;
      const failed = (error: unknown): void => {
        if (failureOutcome(error) === 'unknown') uncertain = error;
        const safe = (): boolean => declared(request, isRepeatable);
        const wait = Math.max(backOff(tries, delayMs, maxDelayMs, jitter), readRetryAfterMs(error));
        if (tries < attempts && wait <= maxDelayMs && isRetryable(error, safe, request.rounds))
          pause = refTimer(go, wait);
        // A last attempt that was not sent says nothing about earlier ones.
        else sink.error(uncertain !== undefined && failureOutcome(error) === 'not-sent' ? uncertain : error);
      };
      const go = (): void => {
        tries += 1;
        subscription = next().subscribe({
          next(event) {
            if (event.type === 'progress') {
              // Progress must increase, even if the work starts again.
              if (event.progress <= reached) return;
              reached = event.progress;
            } else if (event.type === 'result') tools.learn(request, event.result);
            sink.next(event);
          },
          error: failed,
          complete: () => sink.complete(),
        });
      };
      go();
      return {
        cancel() {
          clearTimeout(pause);
          subscription?.unsubscribe();
        },
      };
    }),
  );
}

// An error of `isRepeatable` counts as no.
function declared(
  request: InterceptedRequest,
  replayable: (request: InterceptedRequest) => boolean,
): boolean {
  try {
    return replayable(request);
  } catch (cause) {
    const message = `"isRepeatable" threw for ${quoted(request.method)}`;
    request.fault({ code: 'HANDLER_FAILED', message, cause });
    return false;
  }
}

function backOff(tries: number, first: number, most: number, jitter: boolean): number {
  const full = Math.min(most, first * 2 ** (tries - 1));
  return jitter ? Math.random() * full : full;
}
