import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../../base/checks.js';
import { invalidResult } from '../../base/errors.js';
import { maxAskKeyLength } from '../../base/key-length.js';
import { quoted, describeValue } from '../../base/message-text.js';
import type { Ask } from '../../contract/ask.js';
import type { ParsedResult } from '../dialled.js';
import { bare } from './codec.js';
import { askMethods, methodsThatMayAsk } from './methods.js';

/** The most asks in one result; users could not answer more. */
const maxAsks = 64;
/** The most characters of a `requestState`, which is held until the asks are answered. */
const maxStateChars = 1_048_576;

/** Reads what a result is: complete, or questions that have to be answered first. Throws INVALID_RESULT. */
export function readResult(method: string, result: JsonObject): ParsedResult {
  const { resultType } = result;
  if (resultType === undefined || resultType === 'complete')
    return { kind: 'complete', result: bare(result) };
  if (resultType !== 'input_required')
    throw invalidResult(method, `has the unknown type ${describeValue(resultType)}`);
  if (!methodsThatMayAsk.has(method))
    throw invalidResult(method, 'is an ask, which this method does not allow');
  const { inputRequests, requestState } = result;
  if (requestState !== undefined && typeof requestState !== 'string')
    throw invalidResult(method, 'has a "requestState" that is not a string');
  if (requestState !== undefined && requestState.length > maxStateChars)
    throw invalidResult(method, `has a "requestState" of more than ${maxStateChars} characters`);
  if (inputRequests === undefined && requestState === undefined)
    throw invalidResult(method, 'has neither "inputRequests" nor "requestState"');
  const asks = new Map<string, Ask>();
  if (inputRequests !== undefined) {
    if (!isObject(inputRequests)) throw invalidResult(method, 'has "inputRequests" that are not an object');
    const questions = Object.entries(inputRequests);
    if (questions.length > maxAsks)
      throw invalidResult(method, `has ${questions.length} asks, more than ${maxAsks}`);
    for (const [key, question] of questions) {
      if (key.length > maxAskKeyLength)
        throw invalidResult(
          method,
          `has an ask whose key has ${key.length} characters, more than ${maxAskKeyLength}`,
        );
      asks.set(key, parseAsk(method, key, question));
    }
  }
  return { kind: 'asks', asks, state: requestState };
}

function parseAsk(method: string, key: string, question: unknown): Ask {
  if (!isObject(question) || typeof question.method !== 'string' || !askMethods.has(question.method)) {
    throw invalidResult(method, `has an unknown ask ${quoted(key)}`);
  }
  const params = isObject(question.params) ? question.params : {};
  return { method: question.method as Ask['method'], params, needs: {} };
}
