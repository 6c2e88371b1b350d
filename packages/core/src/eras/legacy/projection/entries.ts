import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../../../is-object.js';
import { annotated, trimmed } from './members.js';
import { r03, r06 } from './revisions.js';
import type { Rule } from '../../rule.js';
import { chain, inEach, inMember } from '../../rule.js';
import * as since from './since.js';

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
