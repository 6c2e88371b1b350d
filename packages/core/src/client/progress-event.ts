import type { JsonObject } from '@rxmcp/jsonrpc';
import type { ExchangeEvent } from '../interceptors/interceptor.js';
import type { CallHandler } from '../peer/calls.js';
import type { CallSink } from '../streams/call.js';

/** Progress as it came over the wire, as an event. */
export function progressEvent({
  progress,
  total,
  message,
}: JsonObject): ExchangeEvent & { type: 'progress' } {
  return {
    type: 'progress',
    progress: progress as number,
    ...(typeof total === 'number' ? { total } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}

/** Hands what becomes of a call over as events. */
export function eventsTo(
  sink: CallSink<ExchangeEvent>,
  ended?: () => void,
): Pick<CallHandler, 'result' | 'progress'> & { failed(error: unknown): void } {
  return {
    result(result) {
      ended?.();
      sink.next({ type: 'result', result });
      sink.complete();
    },
    failed(error) {
      ended?.();
      sink.error(error);
    },
    progress: (params) => sink.next(progressEvent(params)),
  };
}
