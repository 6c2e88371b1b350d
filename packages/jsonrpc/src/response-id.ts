import { endOfString } from './json-scan.js';
import { type RequestId, isRequestId } from './messages.js';
import { WireError } from './wire-error.js';

/**
 * Reads the id of the request that a text responds to, without parsing the text, since it exceeds a limit. Returns `undefined`
 * unless the id is certain: one `id`, a `result` or an `error`, and no `method`, all without escapes. Linear in the text.
 */
export function readResponseId(text: string): RequestId | undefined {
  let depth = 0;
  let id: RequestId | undefined;
  let answers = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      const end = endOfString(text, at);
      const value = depth === 1 ? afterColon(text, end + 1) : -1;
      if (value >= 0) {
        const name = text.slice(at, Math.min(end + 1, at + 64));
        if (name === '"method"' || name.includes('\\')) return undefined;
        if (name === '"result"' || name === '"error"') answers = true;
        if (name === '"id"') {
          const found = idAt(text, value);
          if (id !== undefined || found === undefined) return undefined;
          id = found;
        }
      }
      at = end;
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth === 1 && code === 0x5b) return undefined;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return answers ? id : undefined;
}

/** Where the value of a member begins, or -1 when no colon follows, so that the string is not a name. */
function afterColon(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= 0x20) at++;
  if (text.charCodeAt(at) !== 0x3a) return -1;
  do at++;
  while (text.charCodeAt(at) <= 0x20);
  return at;
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
  return withKnownRequestId(error, answeredBy(value));
}

/** Returns the error with the id of the request that waits for the rejected response. */
export function withKnownRequestId(error: WireError, answers: RequestId | undefined): WireError {
  if (answers === undefined) return error;
  return new WireError(error.code, error.message, {
    rpcCode: error.rpcCode,
    respondsTo: answers,
    cause: error.cause,
  });
}

function answeredBy(value: unknown): RequestId | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const own = (name: string): unknown => Object.getOwnPropertyDescriptor(value, name)?.value;
  const [id, method, result, error] = ['id', 'method', 'result', 'error'].map(own);
  const isAnswer = method === undefined && (result !== undefined || error !== undefined);
  return isAnswer && isRequestId(id) ? id : undefined;
}
