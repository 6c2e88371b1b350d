import { OVERLOADED } from '@rxmcp/jsonrpc';
import type { Outcome } from '@rxmcp/transport';
import { TransportError } from '@rxmcp/transport';
import { McpError, RpcError } from '../errors.js';
import { isObject } from '../is-object.js';

/** What became of an exchange that failed so; undefined for an error of nobody here. */
export function outcomeOf(error: unknown): Outcome | undefined {
  return isOurs(error) ? error.outcome : undefined;
}

/** Whether another try may come to something and does no harm; `safe` says whether running twice does none. */
export function mayComeAgain(error: unknown, safe: () => boolean): boolean {
  if (!isOurs(error)) return false;
  // A server that was too busy has done nothing.
  if (RpcError.is(error)) return error.retryable && (error.code === OVERLOADED || safe());
  if (!error.retryable && !TransportError.is(error)) return false;
  return error.outcome === 'not-sent' || (error.outcome === 'unknown' && safe());
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
