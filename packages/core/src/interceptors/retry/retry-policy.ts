import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Outcome } from '@rxmcp/transport';
import { TransportError } from '@rxmcp/transport';
import { isObject } from '../../base/checks.js';
import { wasNotExecuted } from '../../base/error-marks.js';
import { RxmcpError, RpcError } from '../../base/errors.js';
import type { InterceptedRequest } from '../../contract/interceptor.js';

/** What became of an exchange that failed so; undefined for an error of nobody here. */
export function failureOutcome(error: unknown): Outcome | undefined {
  return isOurs(error) ? error.outcome : undefined;
}

/**
 * Whether another try may come to something and does no harm. `safe` says whether running twice does none, `rounds` how many
 * rounds of the call were answered: what came of the last one says nothing of those.
 */
export function isRetryable(error: unknown, safe: () => boolean, rounds: number): boolean {
  if (!isOurs(error)) return false;
  if (RpcError.is(error)) return error.retryable && ((rounds === 0 && wasNotExecuted(error)) || safe());
  if (!error.retryable && !TransportError.is(error)) return false;
  if (error.outcome === 'not-sent' && rounds === 0) return true;
  return error.outcome !== 'answered' && safe();
}

/** How long the peer wants to be left alone, in milliseconds. */
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

/** What may run twice without harm, as far as it is declared: tools are known from the lists that pass by. */
export class RepeatableRequests {
  private readonly tools = new WeakMap<object, Set<string>>();

  readonly has = ({ method, params, owner }: InterceptedRequest): boolean => {
    if (reading.has(method)) return true;
    if (method !== 'tools/call') return false;
    return this.tools.get(owner)?.has(params.name as string) === true;
  };

  /** Remembers the annotations of a list of tools. They are hints; who does not trust the server gives a rule of one's own. */
  learn({ method, params, owner }: InterceptedRequest, result: JsonObject): void {
    if (method !== 'tools/list' || !Array.isArray(result.tools)) return;
    let safe = this.tools.get(owner);
    if (safe === undefined) this.tools.set(owner, (safe = new Set()));
    // The first page begins the list anew.
    if (params.cursor === undefined) safe.clear();
    for (const tool of result.tools as unknown[]) {
      if (!isObject(tool) || typeof tool.name !== 'string') continue;
      if (isSafe(tool.annotations)) safe.add(tool.name);
      else safe.delete(tool.name);
    }
  }
}

function isSafe(annotations: unknown): boolean {
  if (!isObject(annotations)) return false;
  return annotations.readOnlyHint === true || annotations.idempotentHint === true;
}
