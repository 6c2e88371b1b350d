import { isId } from './id.js';
import type { Id } from './messages.js';
import { WireError } from './wire-error.js';

/** A refusal of a value that came as an object, with the id of the request it was to answer: who asked it waits in vain. */
export function answering(error: WireError, value: unknown): WireError {
  return withAnswers(error, answeredBy(value));
}

/** The same refusal, with the id of the request that waits for what was refused. */
export function withAnswers(error: WireError, answers: Id | undefined): WireError {
  if (answers === undefined) return error;
  return new WireError(error.code, error.message, { rpcCode: error.rpcCode, answers, cause: error.cause });
}

function answeredBy(value: unknown): Id | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const own = (name: string): unknown => Object.getOwnPropertyDescriptor(value, name)?.value;
  const [id, method, result, error] = ['id', 'method', 'result', 'error'].map(own);
  const isAnswer = method === undefined && (result !== undefined || error !== undefined);
  return isAnswer && isId(id) ? id : undefined;
}
