import type { ErrorBody, JsonObject } from '@rxmcp/jsonrpc';
import { INTERNAL_ERROR, OVERLOADED } from '@rxmcp/jsonrpc';
import type { Refusal } from '@rxmcp/transport';
import { TransportError } from '@rxmcp/transport';
import { McpError, RpcError } from '../base/errors.js';
import type { ServedEra } from '../eras/served.js';
import type { Exchange } from '../peer/exchange.js';
import type { PassingEra } from './contract.js';

/** The other side of a bridge is gone or cannot be reached. */
export const OTHER_SIDE_GONE = -31003;

/** Makes such an era of what is its own. */
export function passingEra(own: Own): PassingEra {
  return {
    own: new Map(),
    claim: () => {
      throw new TypeError('a bridge reads claims itself');
    },
    has: () => true,
    prepare: () => undefined,
    result: ({ id }, value) => ({ jsonrpc: '2.0', id, result: value as JsonObject }),
    wantsLog: () => false,
    hasProgressText: () => true,
    ask: unavailable,
    request: unavailable,
    once: unavailable,
    withdraw: () => undefined,
    endFeeds: () => undefined,
    ...own,
  };
}

type Own = Omit<PassingEra, Exclude<keyof ServedEra, 'id' | 'failure' | 'laneClosed'>>;

/** A failure as the asking side sees it: what the other side answered, word for word; of a loss only its code. */
export function passedOn(
  { id, unread }: Exchange,
  error: unknown,
  refusals: ReadonlyMap<number, Refusal>,
): ReturnType<ServedEra['failure']> {
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
