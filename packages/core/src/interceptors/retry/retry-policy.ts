import type { Outcome } from '@rxmcp/transport';
import { TransportError } from '@rxmcp/transport';
import { isObject } from '../../base/checks.js';
import { wasNotExecuted } from '../../base/error-marks.js';
import { RxmcpError, RpcError } from '../../base/errors.js';
import type { InterceptedRequest } from '../../contract/interceptor.js';
import type { ListedTools } from '../listed-tools.js';

/** Returns the outcome of a failed request; undefined for an unknown error. */
export function failureOutcome(error: unknown): Outcome | undefined {
  return isOurs(error) ? error.outcome : undefined;
}

/**
 * Whether another attempt can succeed and is safe. `safe` says whether the request may run twice. `rounds` counts
 * the answered rounds of asks: an error of the last round says nothing about earlier ones.
 */
export function isRetryable(error: unknown, safe: () => boolean, rounds: number): boolean {
  if (!isOurs(error)) return false;
  if (RpcError.is(error)) return error.retryable && ((rounds === 0 && wasNotExecuted(error)) || safe());
  if (!error.retryable && !TransportError.is(error)) return false;
  if (error.outcome === 'not-sent' && rounds === 0) return true;
  return error.outcome !== 'answered' && safe();
}

/** Returns how long the peer asks to wait, in milliseconds. */
export function readRetryAfterMs(error: unknown): number {
  const data = RpcError.is(error) || RxmcpError.is(error) ? error.data : undefined;
  const ms = isObject(data) ? data.retryAfterMs : undefined;
  return typeof ms === 'number' && ms > 0 ? ms : 0;
}

function isOurs(error: unknown): error is RpcError | RxmcpError | TransportError {
  return RpcError.is(error) || RxmcpError.is(error) || TransportError.is(error);
}

/** Methods that change nothing, in every revision. */
const reading: ReadonlySet<string> = new Set([
  'ping',
  'server/discover',
  'tools/list',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'completion/complete',
]);

/** Whether a request may run twice without harm, as far as it is declared. `isRepeatable` replaces hints that are not trusted. */
export function isDeclaredRepeatable(request: InterceptedRequest, tools: ListedTools): boolean {
  if (reading.has(request.method)) return true;
  const annotations = tools.calledBy(request)?.annotations;
  return annotations?.readOnlyHint === true || annotations?.idempotentHint === true;
}
