import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../../../base/checks.js';
import { chain, inEach, inMember, perRevision, table, without } from '../../projection-rule.js';
import type { Rule } from '../../projection-rule.js';
import { annotated, blockRule, r03, r06, toolResultRule, trimmed } from './content.js';

/** What servers answer, by method. */
export const resultRules = /* @__PURE__ */ perRevision((revision) => {
  const uncached = without(['ttlMs', 'cacheScope']);
  return table({
    'tools/list': chain(uncached, inEach('tools', toolRule(revision))),
    'tools/call': toolResultRule(revision),
    'resources/list': chain(uncached, inEach('resources', resourceRule(revision))),
    'resources/templates/list': chain(uncached, inEach('resourceTemplates', resourceRule(revision))),
    'resources/read': chain(uncached, inEach('contents', trimmed('contents', revision))),
    'prompts/list': chain(uncached, inEach('prompts', promptRule(revision))),
    'prompts/get': inEach('messages', inMember('content', blockRule(revision))),
  });
});

/** The entry of a tool in its list. */
export function toolRule(revision: string): Rule | undefined {
  return chain(
    revision >= r03 && revision < r06 ? titleAsHint : undefined,
    trimmed('tool', revision),
    objectOutput,
    inMember('inputSchema', objectSchemas),
    inMember('outputSchema', objectSchemas),
  );
}

/** The entry of a resource, or of a template. */
export function resourceRule(revision: string): Rule | undefined {
  return annotated('resource', revision);
}

/** The entry of a prompt. */
export function promptRule(revision: string): Rule | undefined {
  return chain(trimmed('prompt', revision), inEach('arguments', trimmed('promptArgument', revision)));
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
