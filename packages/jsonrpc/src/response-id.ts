import { endOfString } from './json-scan.js';
import { type RequestId, isRequestId } from './messages.js';
import { WireError } from './wire-error.js';

/**
 * Reads from text that is not going to be parsed, since it breaks a limit, which request it answers. Undefined unless that is
 * beyond doubt: one `id`, a `result` or an `error`, and no `method`, all spelled plainly. Linear in the text.
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

/** Where the value of a member begins, or -1 when no colon follows: the string was none of the names. */
function afterColon(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= 0x20) at++;
  if (text.charCodeAt(at) !== 0x3a) return -1;
  do at++;
  while (text.charCodeAt(at) <= 0x20);
  return at;
}

function idAt(text: string, at: number): RequestId | undefined {
  // The longest id, each of its letters an escape.
  const literal = /^(?:"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?=[\s,}]))/.exec(text.slice(at, at + 2_048))?.[0];
  if (literal === undefined) return undefined;
  try {
    const id: unknown = JSON.parse(literal);
    return isRequestId(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

/** A refusal of a value that came as an object, with the id of the request it was to answer: who asked it waits in vain. */
export function withRequestId(error: WireError, value: unknown): WireError {
  return withKnownRequestId(error, answeredBy(value));
}

/** The same refusal, with the id of the request that waits for what was refused. */
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
