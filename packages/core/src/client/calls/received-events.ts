import type { JsonObject } from '@rxmcp/jsonrpc';
import type { ResponseEvent } from '../../contract/interceptor.js';
import { logLevels, lostLogsKey } from '../../contract/report-items.js';
import type { LogLevel } from '../../contract/report-items.js';
import type { LogRecord } from '../../contract/remote.js';
import type { CallHandler } from '../../peer/calls.js';
import type { CallSink } from '../../streams/call.js';

/** Converts the parameters of a progress notification to an event. */
export function progressEvent({
  progress,
  total,
  message,
}: JsonObject): ResponseEvent & { type: 'progress' } {
  return {
    type: 'progress',
    progress: progress as number,
    ...(typeof total === 'number' ? { total } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}

/** Returns a call handler that emits its events to a sink. */
export function eventsTo(
  sink: CallSink<ResponseEvent>,
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

/** Reads the parameters of a `notifications/message`. Returns undefined for an unknown level. */
export function recordOf(params: JsonObject): LogRecord | undefined {
  const { level, data, logger } = params;
  if (!logLevels.includes(level as LogLevel)) return undefined;
  const lost = (params._meta as JsonObject | undefined)?.[lostLogsKey];
  return {
    level: level as LogLevel,
    data,
    ...(typeof logger === 'string' ? { logger } : {}),
    ...(typeof lost === 'number' ? { lostBefore: lost } : {}),
  };
}
