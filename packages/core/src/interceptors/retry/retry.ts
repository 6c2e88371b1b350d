import { checkMinimum } from '../../base/checks.js';
import { rejectRenamedOptions } from '@rxmcp/transport/internal';
import { refTimer } from '../../base/clock.js';
import { quoted } from '../../base/message-text.js';
import type { ResponseEvent, InterceptedRequest, Interceptor } from '../../contract/interceptor.js';
import { callStream } from '../../streams/call.js';
import { markSide } from '../interceptor-marks.js';
import { isRetryable, failureOutcome, RepeatableRequests, readRetryAfterMs } from './retry-policy.js';

/** Options of {@link retry}. */
export interface RetryOptions {
  /** How often it is tried in all. @default 4 */
  readonly maxAttempts?: number;
  /** The pause before the second try, in milliseconds; each later one is twice as long. @default 250 */
  readonly initialDelayMs?: number;
  /** The longest pause, in milliseconds. A peer that asks for a longer one ends it. @default 30_000 */
  readonly maxDelayMs?: number;
  /** Whether each pause is a random part of itself, so that many clients do not come back at once. @default true */
  readonly jitter?: boolean;
  /**
   * Whether an exchange may run twice. @default lists, reads, prompts, completion, and tools whose last listed annotations
   * say `readOnlyHint` or `idempotentHint`. What it throws is a no, and a fault.
   */
  readonly isRepeatable?: (exchange: InterceptedRequest) => boolean;
}

/**
 * Tries again what was lost or refused for the moment. What may have been executed is replayed only where that is declared
 * to be harmless; the rest ends with the error of its loss, whose `outcome` is `unknown`. A call that was never sent, and
 * one that the peer refused with -31001 and `data.executed: false`, is tried again whatever it does, unless a round of it was
 * answered before. Belongs to a client. Throws a TypeError for what is no number.
 */
export function retry(options: RetryOptions = {}): Interceptor {
  rejectRenamedOptions('retry', options, {
    attempts: 'maxAttempts',
    delayMs: 'initialDelayMs',
    replayable: 'isRepeatable',
  });
  const attempts = checkMinimum(1, 'maxAttempts', options.maxAttempts ?? 4);
  const delayMs = checkMinimum(0, 'initialDelayMs', options.initialDelayMs ?? 250);
  const maxDelayMs = checkMinimum(0, 'maxDelayMs', options.maxDelayMs ?? 30_000);
  const { jitter = true, isRepeatable } = options;
  const known = new RepeatableRequests();

  return markSide('client', 'retry', (exchange, next) =>
    callStream<ResponseEvent>((sink) => {
      let tries = 0;
      let reached = -Infinity;
      let uncertain: unknown;
      let pause: ReturnType<typeof setTimeout> | undefined;
      let subscription: { unsubscribe(): void } | undefined;
      const failed = (error: unknown): void => {
        if (failureOutcome(error) === 'unknown') uncertain = error;
        const safe = (): boolean => declared(exchange, isRepeatable ?? known.has);
        const wait = Math.max(backOff(tries, delayMs, maxDelayMs, jitter), readRetryAfterMs(error));
        if (tries < attempts && wait <= maxDelayMs && isRetryable(error, safe, exchange.rounds))
          pause = refTimer(go, wait);
        // A last try that was not even sent says nothing of those before it.
        else sink.error(uncertain !== undefined && failureOutcome(error) === 'not-sent' ? uncertain : error);
      };
      const go = (): void => {
        tries += 1;
        subscription = next().subscribe({
          next(event) {
            if (event.type === 'progress') {
              // Progress grows, also where the work begins anew.
              if (event.progress <= reached) return;
              reached = event.progress;
            } else if (event.type === 'result') known.learn(exchange, event.result);
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

// What throws has not said yes.
function declared(
  exchange: InterceptedRequest,
  replayable: (exchange: InterceptedRequest) => boolean,
): boolean {
  try {
    return replayable(exchange);
  } catch (cause) {
    const message = `asking whether ${quoted(exchange.method)} is replayable threw`;
    exchange.fault({ code: 'HANDLER_FAILED', message, cause });
    return false;
  }
}

function backOff(tries: number, first: number, most: number, jitter: boolean): number {
  const full = Math.min(most, first * 2 ** (tries - 1));
  return jitter ? Math.random() * full : full;
}
