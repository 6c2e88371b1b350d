import { INTERNAL_ERROR, INVALID_REQUEST, OVERLOADED, type ErrorBody, type Id } from '@rxmcp/jsonrpc';
import type { Refused } from '@rxmcp/transport/guard';

/** A whole answer over HTTP. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const nothing = Object.freeze({});

/** The message was taken; what comes of it goes over the stream. */
export const taken: Answer = Object.freeze({ status: 202, headers: nothing, body: '' });

/** The message cannot be one. */
export function malformed(error: ErrorBody, id?: Id): Answer {
  return { status: 400, headers: nothing, body: bodyOf(error, id) };
}

/** The request was refused before anything ran. */
export function refusal(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = nothing,
): Answer {
  return { status, headers, body: bodyOf({ code: INVALID_REQUEST, message }) };
}

/** Whoever serves has failed. */
export const failed: Answer = Object.freeze({
  status: 500,
  headers: nothing,
  body: bodyOf({ code: INTERNAL_ERROR, message: 'internal error' }),
});

/** There is no room now. */
export function overloaded(message: string): Answer {
  const retryAfterMs = 5_000;
  return {
    status: 503,
    headers: { 'retry-after': String(retryAfterMs / 1_000) },
    body: bodyOf({ code: OVERLOADED, message, data: { retryable: true, retryAfterMs } }),
  };
}

/** The body found no room beside others that are being read: nothing more of this connection is wanted. */
export function noRoom(): Answer {
  const answer = overloaded('too many bodies are being read');
  return { ...answer, headers: { ...answer.headers, connection: 'close' } };
}

/** What the guard said. */
export function guarded({ status, headers, message }: Refused): Answer {
  return status === 503 ? { ...overloaded(message), headers } : refusal(status, message, headers);
}

function bodyOf(error: ErrorBody, id?: Id): string {
  return JSON.stringify(id === undefined ? { jsonrpc: '2.0', error } : { jsonrpc: '2.0', id, error });
}
