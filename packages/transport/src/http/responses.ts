import { INVALID_REQUEST, type JsonObject, type RequestId, OVERLOADED } from '@rxmcp/jsonrpc';
import type { GuardDenied } from '../guard/guard.js';
import type { Headers, HttpExchange } from './exchange.js';

/** Headers of a response that is not a stream. */
export const json: Headers = Object.freeze({ 'content-type': 'application/json' });
/** No header at all. */
export const bare: Headers = Object.freeze({});
/** Headers of an event stream: proxies must not cache, change or buffer it. */
export const eventStream: Headers = Object.freeze({
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
});

/** An error response of the transport itself. */
export interface Complaint {
  readonly status: number;
  readonly message: string;
  /** @default -32600 */
  readonly code?: number;
  /** The id of the request that it answers; `null` where older revisions require an id. */
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
  exchange.respond(status, headers === undefined ? json : { ...json, ...headers }, text);
}

/** Answers with 503: nothing of the request was executed, and the client may send it again after `afterS` seconds. */
export function busy(exchange: HttpExchange, message: string, afterS = 5, more: Headers = bare): void {
  const headers = { 'retry-after': String(afterS), ...more };
  complain(exchange, { status: 503, code: OVERLOADED, message, headers, data: overload(afterS) });
}

/** Why a request is rejected that is not charged. */
export const noMemory = 'the memory budget, or the share of the caller, is used up';

/**
 * Answers a body that takes too much memory or time, and ends its connection: neither the rest of the body is wanted, nor further
 * chunks.
 */
export function rejectBody(exchange: HttpExchange, problem: 'no-room' | 'no-share' | 'tiny-chunks'): void {
  const closing = { connection: 'close' };
  if (problem === 'no-share') busy(exchange, 'the caller holds too much memory', 1, closing);
  else if (problem === 'no-room')
    busy(exchange, 'the bodies of all requests take too much memory', 1, closing);
  else {
    const message =
      'the body comes in chunks of less than 16 bytes on average. Send larger chunks, or a Content-Length';
    complain(exchange, { status: 400, message, headers: closing });
  }
}

/** Answers with 503 where some of the request may have been executed. */
export function interrupted(exchange: HttpExchange, message: string): void {
  const data = { retryable: true, retryAfterMs: 1_000 };
  complain(exchange, { status: 503, code: OVERLOADED, message, headers: { 'retry-after': '1' }, data });
}

/** Answers a request that the guard rejected. */
export function reject(exchange: HttpExchange, { status, headers, message }: GuardDenied): void {
  const problem = status === 503 ? { code: OVERLOADED, data: overload(5) } : {};
  complain(exchange, { status, headers, message, ...problem });
}

/** What an error says of a request that was not executed and may be sent again after `afterS` seconds. */
export function overload(afterS: number): JsonObject {
  return { retryable: true, retryAfterMs: afterS * 1_000, executed: false };
}
