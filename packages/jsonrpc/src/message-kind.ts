import { type RequestId, isRequestId, type JsonObject, maxRequestIdLength } from './messages.js';

/** What {@link messageKind} tells messages apart by. */
export type MessageKind = 'request' | 'notification' | 'result' | 'error' | 'invalid';

/**
 * Tells what a JSON value is as a message; unknown members do not matter.
 * A `method` beside a `result` or an `error` is `'invalid'`, and so is a `method` beside an unusable id: taking it for a
 * notification would leave its sender without an answer. JSON-RPC 2.0 sections 4 and 5.
 */
export function messageKind(value: unknown): MessageKind {
  if (!isObject(value) || value.jsonrpc !== '2.0') return 'invalid';
  const { id, method, params, result, error } = value;
  if (method !== undefined) {
    if (typeof method !== 'string' || result !== undefined || error !== undefined) return 'invalid';
    if (params !== undefined && !isObject(params)) return 'invalid';
    if (id === undefined) return 'notification';
    return isRequestId(id) ? 'request' : 'invalid';
  }
  if (result !== undefined) return error === undefined && isObject(result) && isRequestId(id) ? 'result' : 'invalid';
  if (!isObject(error) || !Number.isSafeInteger(error.code) || typeof error.message !== 'string')
    return 'invalid';
  return id === undefined || id === null || isRequestId(id) ? 'error' : 'invalid';
}

/**
 * Says why {@link messageKind} calls a value `'invalid'`, naming the offending member.
 * `id` is there when the value looks like a request whose id can be read, that is when an answer would find its asker.
 */
export function invalidReason(value: unknown): { message: string; id?: RequestId } {
  if (!isObject(value)) return { message: `a message must be an object, not ${nameOf(value)}` };
  const message = offence(value);
  const asks = value.method !== undefined && value.result === undefined && value.error === undefined;
  return asks && isRequestId(value.id) ? { message, id: value.id } : { message };
}

function offence(message: JsonObject): string {
  const { jsonrpc, id, method, params, result, error } = message;
  if (typeof jsonrpc === 'string' && jsonrpc !== '2.0') return '"jsonrpc" must be "2.0", not another version';
  if (jsonrpc !== '2.0') return `"jsonrpc" must be "2.0", not ${nameOf(jsonrpc)}`;
  if (method !== undefined) {
    if (typeof method !== 'string') return `"method" must be a string, not ${nameOf(method)}`;
    if (result !== undefined) return '"method" and "result" exclude each other';
    if (error !== undefined) return '"method" and "error" exclude each other';
    if (params !== undefined && !isObject(params)) return `"params" must be an object, not ${nameOf(params)}`;
    return idOffence(id);
  }
  if (result === undefined && error === undefined) return '"method", "result" and "error" are all missing';
  if (result !== undefined) {
    if (error !== undefined) return '"result" and "error" exclude each other';
    return isObject(result) ? idOffence(id) : `"result" must be an object, not ${nameOf(result)}`;
  }
  if (!isObject(error)) return `"error" must be an object, not ${nameOf(error)}`;
  if (!Number.isSafeInteger(error.code)) return `"error.code" must be an integer, not ${nameOf(error.code)}`;
  if (typeof error.message !== 'string')
    return `"error.message" must be a string, not ${nameOf(error.message)}`;
  return idOffence(id);
}

function idOffence(id: unknown): string {
  if (typeof id === 'string') return `"id" must have at most ${maxRequestIdLength} characters, not ${id.length}`;
  return `"id" must be a string or a safe integer, not ${nameOf(id)}`;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Describes a remote value in few characters: it may be huge, or meant for a terminal. */
function nameOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
