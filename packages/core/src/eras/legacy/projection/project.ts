import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../../../base/checks.js';
import type { Rule } from '../../projection-rule.js';
import { chain, inEach, inMember, perRevision, table, without } from '../../projection-rule.js';
import { answerRules, questionRules, requestRule } from './asks.js';
import { annotated, blockRule, toolResultRule, trimmed } from './content.js';
import { r03, r06 } from './since.js';
import * as since from './since.js';

/**
 * Converts a server's result to an older revision: removes or converts what came later. Keeps members that no
 * revision defines. Returns the same object if nothing changes.
 */
export function project(method: string, value: JsonObject, version: string): JsonObject {
  const rule = resultRules(version).get(method);
  const result = 'resultType' in value ? untyped(value) : value;
  return rule === undefined ? result : rule(result);
}

/** Converts the parameters of an ask. Throws ASK_UNAVAILABLE for what the revision cannot express. */
export function projectQuestion(
  method: string,
  params: JsonObject | undefined,
  version: string,
): JsonObject | undefined {
  return applied(questionRules(version).get(method), params);
}

/** Converts the answer of a client to an ask. Throws HANDLER_FAILED for what the revision cannot express. */
export function projectAnswer(method: string, value: JsonObject, version: string): JsonObject {
  return applied(answerRules(version).get(method), value) as JsonObject;
}

/** Converts the parameters of a client's request. */
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

/** Rules for results of servers, by method. */
const resultRules = /* @__PURE__ */ perRevision((revision) => {
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

/** Returns the rule for a tool in a list. */
function toolRule(revision: string): Rule | undefined {
  return chain(
    revision >= r03 && revision < r06 ? titleAsHint : undefined,
    trimmed(since.tool, revision),
    objectOutput,
    inMember('inputSchema', objectSchemas),
    inMember('outputSchema', objectSchemas),
  );
}

/** Returns the rule for a resource or a template in a list. */
function resourceRule(revision: string): Rule | undefined {
  return annotated(since.resource, revision);
}

/** Returns the rule for a prompt in a list. */
function promptRule(revision: string): Rule | undefined {
  return chain(trimmed(since.prompt, revision), inEach('arguments', trimmed(since.promptArgument, revision)));
}

// 2025-03-26 has the title of a tool only in its annotations.
function titleAsHint(tool: JsonObject): JsonObject {
  if (typeof tool.title !== 'string') return tool;
  const { annotations } = tool;
  return { ...tool, annotations: { title: tool.title, ...(isObject(annotations) ? annotations : {}) } };
}

// Until 2025-11-25 structured content is an object. Any other output schema describes what is never sent.
function objectOutput(tool: JsonObject): JsonObject {
  const schema = tool.outputSchema;
  if (schema === undefined || (isObject(schema) && schema.type === 'object')) return tool;
  const { outputSchema: _dropped, ...rest } = tool;
  return rest;
}

// Until 2025-11-25 the schema of a property is an object, so that `true` and `false` are written as objects.
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
