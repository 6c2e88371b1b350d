import {
  INTERNAL_ERROR,
  type JsonRpcErrorResponse,
  METHOD_NOT_FOUND,
  OVERLOADED,
  type RequestId,
} from '@rxmcp/jsonrpc';
import type { SendOptions, TransportError } from '@rxmcp/transport';
import { quoted } from '../base/message-text.js';
import type { PendingExchange } from './exchange-contract.js';

/** Returns the response to a request without a handler. */
export function unknownMethod(id: RequestId, method: string): JsonRpcErrorResponse {
  return {
    jsonrpc: '2.0',
    id,
    error: { code: METHOD_NOT_FOUND, message: `unknown method ${quoted(method)}` },
  };
}

/** Returns the response to a request that exceeds a limit. */
export function overloaded(id: RequestId, method: string, reason: string): JsonRpcErrorResponse {
  const data = { retryable: true, retryAfterMs: 1_000, executed: false };
  return {
    jsonrpc: '2.0',
    id,
    error: { code: OVERLOADED, message: `${quoted(method)} rejected: ${reason}`, data },
  };
}

/** Reports a response that was not sent, and answers with an error where the caller would wait for ever. */
export function responseUnsent(
  { host, id, method }: Pick<PendingExchange, 'host' | 'id' | 'method'>,
  cause: TransportError,
  sendOptions: SendOptions | undefined,
): void {
  host.fault({ code: cause.code, message: `the response to ${quoted(method)} was not sent`, cause });
  if (cause.outcome !== 'not-sent' || cause.code === 'CLOSED') return;
  const message = `the result of ${quoted(method)} could not be sent: ${cause.message}`;
  void host.writer.send({ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message } }, sendOptions);
}
