import type { JsonObject } from '@rxmcp/jsonrpc';
import type { ExchangeEvent } from '../interceptors/interceptor.js';

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
