import type { JsonObject } from '@rxmcp/jsonrpc';
import { TransportError } from '@rxmcp/transport';
import { McpError, RpcError } from '../errors.js';
import type { CallHandler } from '../peer/calls.js';
import type { Meter } from '../stats/stats.js';

/** The same handler of a call, which is counted. */
export function counted(
  meter: Meter,
  method: string,
  params: JsonObject | undefined,
  handler: CallHandler,
): CallHandler {
  const measured = meter.begin(method, params, undefined);
  return {
    result(result) {
      measured.answered(result);
      handler.result(result);
    },
    failed(error) {
      measured.failed(codeOf(error));
      handler.failed(error);
    },
    progress: (progress) => handler.progress?.(progress),
    dropped: () => measured.cancelled(),
  };
}

function codeOf(error: Error): string | number {
  return RpcError.is(error) || McpError.is(error) || TransportError.is(error) ? error.code : 'other';
}
