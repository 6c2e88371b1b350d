import { walkMembers } from '../json/json-scan.js';
import { type RequestId, isRequestId } from './messages.js';
import { WireError } from './wire-error.js';

/**
 * Reads the id of the request that a text responds to, without parsing the text, since it exceeds a limit. Returns `undefined`
 * unless the id is certain: one `id`, a `result` or an `error`, and no `method`, all without escapes. Linear in the text.
 */
export function readResponseId(text: string): RequestId | undefined {
  let id: RequestId | undefined;
  let isResponse = false;
  let isCertain = true;
  walkMembers(text, 1, (quotedName, valueAt) => {
    if (quotedName === '"result"' || quotedName === '"error"') isResponse = true;
    else if (quotedName === '"id"' && id === undefined) {
      id = idAt(text, valueAt);
      isCertain &&= id !== undefined;
    } else if (quotedName === '"id"' || quotedName === '"method"' || quotedName.includes('\\'))
      isCertain = false;
  });
  return isResponse && isCertain ? id : undefined;
}

function idAt(text: string, at: number): RequestId | undefined {
  // The longest id, with every character escaped.
  const literal = /^(?:"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?=[\s,}]))/.exec(text.slice(at, at + 2_048))?.[0];
  if (literal === undefined) return undefined;
  try {
    const id: unknown = JSON.parse(literal);
    return isRequestId(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the error with the id of the request that `value` responds to, so that this request can fail. */
export function withRequestId(error: WireError, value: unknown): WireError {
  return withKnownRequestId(error, responseId(value));
}

/** Returns the error with the id of the request that waits for the rejected response. */
export function withKnownRequestId(error: WireError, respondsTo: RequestId | undefined): WireError {
  if (respondsTo === undefined) return error;
  return new WireError(error.code, error.message, {
    rpcCode: error.rpcCode,
    respondsTo,
    cause: error.cause,
  });
}

function responseId(value: unknown): RequestId | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const own = (name: string): unknown => Object.getOwnPropertyDescriptor(value, name)?.value;
  const [id, method, result, error] = ['id', 'method', 'result', 'error'].map(own);
  const isResponse = method === undefined && (result !== undefined || error !== undefined);
  return isResponse && isRequestId(id) ? id : undefined;
}
