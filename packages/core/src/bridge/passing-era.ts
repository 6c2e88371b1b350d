import type { ErrorObject, JsonObject } from '@rxmcp/jsonrpc';
import { INTERNAL_ERROR, OVERLOADED } from '@rxmcp/jsonrpc';
import type { RejectionReason } from '@rxmcp/transport';
import { TransportError } from '@rxmcp/transport';
import { BRIDGED_PEER_UNAVAILABLE } from '../base/error-marks.js';
import { RxmcpError, RpcError } from '../base/errors.js';
import type { ExchangeEra, Failure, PendingExchange } from '../peer/exchange-contract.js';
import type { PassingEra } from './contract.js';

/** Creates the bridge's view of an era from what is specific to it. */
export function passingEra(own: Own): PassingEra {
  return {
    result: ({ id }, value) => ({ jsonrpc: '2.0', id, result: value as JsonObject }),
    ask: unavailable,
    request: unavailable,
    step: unavailable,
    ...own,
  };
}

type Own = Omit<PassingEra, Exclude<keyof ExchangeEra, 'failure' | 'laneClosed'>>;

/** Returns a failure as the asking side sees it: an error response verbatim, a lost connection as its code only. */
export function relayedError(
  { id, unread }: PendingExchange,
  error: unknown,
  rejections: ReadonlyMap<number, RejectionReason>,
): Failure {
  const body = bodyOf(error);
  return {
    out: { jsonrpc: '2.0', id, error: body },
    rejection: rejections.get(body.code) ?? (unread ? 'malformed' : undefined),
  };
}

function bodyOf(error: unknown): ErrorObject {
  if (RpcError.is(error)) {
    const { code, message, data } = error;
    return data === undefined ? { code, message } : { code, message, data };
  }
  if (RxmcpError.is(error, 'TOO_MANY_CALLS')) {
    const data = { retryable: true, retryAfterMs: 1_000, executed: false };
    return { code: OVERLOADED, message: 'too many requests are on the bridge', data };
  }
  if (TransportError.is(error)) {
    // The message may be for this side only, such as the last output of a child process.
    const data = { code: error.code, outcome: error.outcome };
    const message = `the other side of the bridge did not answer: ${error.code}`;
    return { code: BRIDGED_PEER_UNAVAILABLE, message, data };
  }
  const what = RxmcpError.is(error) ? error.code : 'INTERNAL_ERROR';
  return { code: INTERNAL_ERROR, message: `the bridge could not relay the response: ${what}` };
}

function unavailable(): Promise<never> {
  return Promise.reject(new RxmcpError('ASK_UNAVAILABLE', '`sendAsk`: a bridge sends no asks'));
}
