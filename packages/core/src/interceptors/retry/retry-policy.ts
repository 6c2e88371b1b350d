import type { JsonObject } from '@rxmcp/jsonrpc';
import { maxKeyLength } from '../../base/key-length.js';
import type { Outcome } from '@rxmcp/transport';
import { TransportError } from '@rxmcp/transport';
import { isObject } from '../../base/checks.js';
import { wasNotExecuted } from '../../base/error-marks.js';
import { RxmcpError, RpcError } from '../../base/errors.js';
import type { InterceptedRequest } from '../../contract/interceptor.js';

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

/** The requests that may run twice without harm, as far as it is declared. Learns about tools from lists. */
export class RepeatableRequests {
  readonly #tools = new WeakMap<object, Set<string>>();

  readonly has = ({ method, params, owner }: InterceptedRequest): boolean => {
    if (reading.has(method)) return true;
    if (method !== 'tools/call') return false;
    return this.#tools.get(owner)?.has(params.name as string) === true;
  };

  /**
   * Stores the annotations of listed tools. They are hints; `isRepeatable` replaces them for a server that is not
   * trusted.
   */
  learn({ method, params, owner }: InterceptedRequest, result: JsonObject): void {
    if (method !== 'tools/list' || !Array.isArray(result.tools)) return;
    let safe = this.#tools.get(owner);
    if (safe === undefined) this.#tools.set(owner, (safe = new Set()));
    // The first page starts a new list.
    if (params.cursor === undefined) safe.clear();
    for (const tool of result.tools as unknown[]) {
      if (!isObject(tool) || typeof tool.name !== 'string' || tool.name.length > maxKeyLength) continue;
      if (isSafe(tool.annotations)) safe.add(tool.name);
      else safe.delete(tool.name);
    }
  }
}

function isSafe(annotations: unknown): boolean {
  if (!isObject(annotations)) return false;
  return annotations.readOnlyHint === true || annotations.idempotentHint === true;
}
