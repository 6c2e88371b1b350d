import type { ErrorBody, JsonObject } from '@rxmcp/jsonrpc';
import { INTERNAL_ERROR, OVERLOADED } from '@rxmcp/jsonrpc';
import type { Refusal } from '@rxmcp/transport';
import { TransportError } from '@rxmcp/transport';
import { McpError, RpcError } from '../base/errors.js';
import type { ExchangeEra, Failure, PendingExchange } from '../peer/exchange-contract.js';
import type { PassingEra } from './contract.js';

/** The other side of a bridge is gone or cannot be reached. */
export const OTHER_SIDE_GONE = -31003;

/** Makes such an era of what is its own. */
export function passingEra(own: Own): PassingEra {
  return {
    result: ({ id }, value) => ({ jsonrpc: '2.0', id, result: value as JsonObject }),
    wantsLog: () => false,
    hasProgressText: () => true,
    ask: unavailable,
    request: unavailable,
    once: unavailable,
    ...own,
  };
}

type Own = Omit<PassingEra, Exclude<keyof ExchangeEra, 'failure' | 'laneClosed'>>;

/** A failure as the asking side sees it: what the other side answered, word for word; of a loss only its code. */
export function passedOn(
  { id, unread }: PendingExchange,
  error: unknown,
  refusals: ReadonlyMap<number, Refusal>,
): Failure {
  const body = bodyOf(error);
  return {
    out: { jsonrpc: '2.0', id, error: body },
    refusal: refusals.get(body.code) ?? (unread ? 'malformed' : undefined),
  };
}

function bodyOf(error: unknown): ErrorBody {
  if (RpcError.is(error)) {
    const { code, message, data } = error;
    return data === undefined ? { code, message } : { code, message, data };
  }
  if (McpError.is(error, 'TOO_MANY_CALLS')) {
    const data = { retryable: true, retryAfterMs: 1_000, executed: false };
    return { code: OVERLOADED, message: 'too many requests are on the bridge', data };
  }
  if (TransportError.is(error)) {
    // What the error says may be for this side only, such as the last words of a child.
    const data = { code: error.code, outcome: error.outcome };
    const message = `the other side of the bridge did not answer: ${error.code}`;
    return { code: OTHER_SIDE_GONE, message, data };
  }
  const what = McpError.is(error) ? error.code : 'INTERNAL';
  return { code: INTERNAL_ERROR, message: `the bridge could not hand the answer on: ${what}` };
}

function unavailable(): Promise<never> {
  return Promise.reject(new McpError('ASK_UNAVAILABLE', 'a bridge asks nothing of its own'));
}
