import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../../../base/checks.js';
import type { Rule } from '../../projection-rule.js';
import { chain, inEach, inMember, perRevision, table, without } from '../../projection-rule.js';
import { answerRules, questionRules, requestRule } from './asks.js';
import { annotated, blockRule, toolResultRule, trimmed } from './content.js';
import { r03, r06 } from './since.js';
import * as since from './since.js';

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

/** What servers answer, by method. */
export const resultRules = /* @__PURE__ */ perRevision((revision) => {
  const uncached = without(['ttlMs', 'cacheScope']);
  return table({
    'tools/list': chain(uncached, inEach('tools', toolRule(revision))),
    'tools/call': toolResultRule(revision),
    'resources/list': chain(uncached, inEach('resources', resourceRule(revision))),
    'resources/templates/list': chain(uncached, inEach('resourceTemplates', resourceRule(revision))),
    'resources/read': chain(uncached, inEach('contents', trimmed(since.contents, revision))),
    'prompts/list': chain(uncached, inEach('prompts', promptRule(revision))),
    'prompts/get': inEach('messages', inMember('content', blockRule(revision))),
  });
});

/** The entry of a tool in its list. */
export function toolRule(revision: string): Rule | undefined {
  return chain(
    revision >= r03 && revision < r06 ? titleAsHint : undefined,
    trimmed(since.tool, revision),
    objectOutput,
    inMember('inputSchema', objectSchemas),
    inMember('outputSchema', objectSchemas),
  );
}

/** The entry of a resource, or of a template. */
export function resourceRule(revision: string): Rule | undefined {
  return annotated(since.resource, revision);
}

/** The entry of a prompt. */
export function promptRule(revision: string): Rule | undefined {
  return chain(trimmed(since.prompt, revision), inEach('arguments', trimmed(since.promptArgument, revision)));
}

// 2025-03-26 has a title for people among the annotations only.
function titleAsHint(tool: JsonObject): JsonObject {
  if (typeof tool.title !== 'string') return tool;
  const { annotations } = tool;
  return { ...tool, annotations: { title: tool.title, ...(isObject(annotations) ? annotations : {}) } };
}

// Up to 2025-11-25 data of tools is an object: a schema of anything else describes what is never sent.
function objectOutput(tool: JsonObject): JsonObject {
  const schema = tool.outputSchema;
  if (schema === undefined || (isObject(schema) && schema.type === 'object')) return tool;
  const { outputSchema: _dropped, ...rest } = tool;
  return rest;
}

// Up to 2025-11-25 the schema of a property is an object; `true` and `false` are said in the long way.
function objectSchemas(schema: JsonObject): JsonObject {
  const { properties } = schema;
  if (!isObject(properties) || !Object.values(properties).some((one) => typeof one === 'boolean'))
    return schema;
  const long = Object.entries(properties).map(([name, one]) => [
    name,
    typeof one === 'boolean' ? (one ? {} : { not: {} }) : one,
  ]);
  return { ...schema, properties: Object.fromEntries(long) as JsonObject };
}
