import { type RequestId, isRequestId, type JsonObject, maxRequestIdLength } from './messages.js';

/** The kind of a message, which {@link messageKind} returns. */
export type MessageKind = 'request' | 'notification' | 'result' | 'error' | 'invalid';

/**
 * Returns the kind of a message, which is a JSON value; unknown members do not matter. A `method` together with a `result` or an
 * `error` is `'invalid'`. So is a `method` with an invalid id: as a notification its sender would get no response. JSON-RPC 2.0
 * sections 4 and 5.
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
  if (result !== undefined)
    return error === undefined && isObject(result) && isRequestId(id) ? 'result' : 'invalid';
  if (!isObject(error) || !Number.isSafeInteger(error.code) || typeof error.message !== 'string')
    return 'invalid';
  return id === undefined || id === null || isRequestId(id) ? 'error' : 'invalid';
}

/**
 * Returns why {@link messageKind} returns `'invalid'` for a value, and names the offending member. `id` is set when the value
 * looks like a request with a valid id, so that it can be answered.
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
  if (jsonrpc !== '2.0') return mustBe('jsonrpc', '"2.0"', jsonrpc);
  if (method !== undefined) {
    if (typeof method !== 'string') return mustBe('method', 'a string', method);
    if (result !== undefined) return exclude('method', 'result');
    if (error !== undefined) return exclude('method', 'error');
    if (params !== undefined && !isObject(params)) return mustBe('params', 'an object', params);
    return idOffence(id);
  }
  if (result === undefined && error === undefined) return '"method", "result" and "error" are all missing';
  if (result !== undefined) {
    if (error !== undefined) return exclude('result', 'error');
    return isObject(result) ? idOffence(id) : mustBe('result', 'an object', result);
  }
  if (!isObject(error)) return mustBe('error', 'an object', error);
  if (!Number.isSafeInteger(error.code)) return mustBe('error.code', 'an integer', error.code);
  if (typeof error.message !== 'string') return mustBe('error.message', 'a string', error.message);
  return idOffence(id);
}

function idOffence(id: unknown): string {
  if (typeof id === 'string')
    return `"id" must have at most ${maxRequestIdLength} characters, not ${id.length}`;
  return mustBe('id', 'a string or a safe integer', id);
}

function mustBe(member: string, what: string, value: unknown): string {
  return `"${member}" must be ${what}, not ${nameOf(value)}`;
}

function exclude(one: string, other: string): string {
  return `"${one}" and "${other}" exclude each other`;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Describes a value of the peer in few characters: it may be huge, or contain terminal escapes. */
function nameOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
