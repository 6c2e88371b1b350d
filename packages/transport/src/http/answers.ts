import { INVALID_REQUEST, type RequestId, OVERLOADED } from '@rxmcp/jsonrpc';
import type { GuardDenied } from '../guard/guard.js';
import type { Headers, HttpExchange } from './exchange.js';

/** Content type of everything that is no stream. */
export const json: Headers = Object.freeze({ 'content-type': 'application/json' });
/** No header at all. */
export const bare: Headers = Object.freeze({});
/** Headers of a stream: nobody on the way may keep, change or hold it back. */
export const eventStream: Headers = Object.freeze({
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
});

/** An error that the transport finds by itself. */
export interface Complaint {
  readonly status: number;
  readonly message: string;
  /** @default -32600 */
  readonly code?: number;
  /** The request it answers; null where older revisions want one. */
  readonly id?: RequestId | null | undefined;
  readonly headers?: Headers;
  readonly data?: unknown;
}

/** Answers with a JSON-RPC error. */
export function complain(exchange: HttpExchange, complaint: Complaint): void {
  const { status, message, code = INVALID_REQUEST, id, headers, data } = complaint;
  const named = id === undefined ? {} : { id };
  const error = data === undefined ? { code, message } : { code, message, data };
  const text = JSON.stringify({ jsonrpc: '2.0', ...named, error });
  exchange.answer(status, headers === undefined ? json : { ...json, ...headers }, text);
}

/** Asks to come back later. */
export function busy(exchange: HttpExchange, message: string, afterS = 5, more: Headers = bare): void {
  complain(exchange, {
    status: 503,
    code: OVERLOADED,
    message,
    headers: { 'retry-after': String(afterS), ...more },
    data: { retryable: true, retryAfterMs: afterS * 1_000 },
  });
}

/** Answers what the guard refused. */
export function refuse(exchange: HttpExchange, { status, headers, message }: GuardDenied): void {
  const overload = { code: OVERLOADED, data: { retryable: true, retryAfterMs: 5_000 } };
  complain(exchange, { status, headers, message, ...(status === 503 ? overload : {}) });
}
