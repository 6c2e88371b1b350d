import type { Outcome } from '@rxmcp/transport';
import { TransportError } from '@rxmcp/transport';
import { McpError, RpcError } from '../errors.js';
import { isObject } from '../is-object.js';
import { wasNotRun } from '../not-run.js';

/** What became of an exchange that failed so; undefined for an error of nobody here. */
export function outcomeOf(error: unknown): Outcome | undefined {
  return isOurs(error) ? error.outcome : undefined;
}

/**
 * Whether another try may come to something and does no harm. `safe` says whether running twice does none, `rounds` how many
 * rounds of the call were answered: what came of the last one says nothing of those.
 */
export function mayComeAgain(error: unknown, safe: () => boolean, rounds: number): boolean {
  if (!isOurs(error)) return false;
  if (RpcError.is(error)) return error.retryable && ((rounds === 0 && wasNotRun(error)) || safe());
  if (!error.retryable && !TransportError.is(error)) return false;
  if (error.outcome === 'not-sent' && rounds === 0) return true;
  return error.outcome !== 'answered' && safe();
}

/** How long the peer wants to be left alone, in milliseconds. */
export function retryAfterOf(error: unknown): number {
  const data = RpcError.is(error) || McpError.is(error) ? error.data : undefined;
  const ms = isObject(data) ? data.retryAfterMs : undefined;
  return typeof ms === 'number' && ms > 0 ? ms : 0;
}

function isOurs(error: unknown): error is RpcError | McpError | TransportError {
  return RpcError.is(error) || McpError.is(error) || TransportError.is(error);
}
