import type { JsonObject } from '@rxmcp/jsonrpc';
import { answerRules, questionRules, requestRule } from './projection/questions.js';
import { resultRules } from './projection/results.js';
import type { Rule } from '../rule.js';

/**
 * A server's result as an older revision knows it: what came later is left out, or said in the words of that revision.
 * Members that no revision names stay. The same object where nothing has to change.
 */
export function project(method: string, value: JsonObject, version: string): JsonObject {
  const rule = resultRules(version).get(method);
  const result = 'resultType' in value ? untyped(value) : value;
  return rule === undefined ? result : rule(result);
}

/** The parameters of a question to the client. Throws ASK_UNAVAILABLE for what the revision cannot ask. */
export function projectQuestion(
  method: string,
  params: JsonObject | undefined,
  version: string,
): JsonObject | undefined {
  return applied(questionRules(version).get(method), params);
}

/** A client's answer to a question. Throws HANDLER_FAILED for what the revision of the server cannot say. */
export function projectAnswer(method: string, value: JsonObject, version: string): JsonObject {
  return applied(answerRules(version).get(method), value) as JsonObject;
}

/** The parameters of a client's request. */
export function projectRequest(
  method: string,
  params: JsonObject | undefined,
  version: string,
): JsonObject | undefined {
  return applied(requestRule(method, version), params);
}

function applied(rule: Rule | undefined, value: JsonObject | undefined): JsonObject | undefined {
  return rule === undefined || value === undefined ? value : rule(value);
}

function untyped({ resultType: _type, ...rest }: JsonObject): JsonObject {
  return rest;
}
