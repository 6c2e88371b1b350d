import type { JsonObject } from '@rxmcp/jsonrpc';
import { McpError } from '../../../errors.js';
import { isObject } from '../../../is-object.js';
import { quoted } from '../../../names.js';
import { trimmed } from './members.js';
import { r11 } from './revisions.js';
import type { Rule } from '../../rule.js';
import { chain } from '../../rule.js';
import * as since from './since.js';

/**
 * A form as 2025-06-18 knows it: titled choices become `enumNames`, defaults go but for yes-or-no, and so does a choice of
 * several that may stay empty. Throws ASK_UNAVAILABLE for one that has to be filled.
 */
export function formRule(revision: string): Rule | undefined {
  return revision >= r11 ? undefined : chain(trimmed(since.form, revision), (form) => older(form, revision));
}

function older(form: JsonObject, revision: string): JsonObject {
  const { properties, required } = form;
  if (!isObject(properties)) return form;
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  const fields = Object.entries(properties).flatMap(([name, field]) => {
    if (!isObject(field)) return [[name, field]];
    if (field.type !== 'array') return [[name, olderField(field)]];
    if (!needed.has(name)) return [];
    throw new McpError(
      'ASK_UNAVAILABLE',
      `"elicitation/create" cannot be asked: ${revision} has no choice of several, which ${quoted(name)} is`,
    );
  });
  return { ...form, properties: Object.fromEntries(fields) as JsonObject };
}

function olderField(field: JsonObject): JsonObject {
  if (field.type === 'boolean') return field;
  const { default: _given, oneOf, ...rest } = field;
  if (field.type !== 'string' || !Array.isArray(oneOf))
    return oneOf === undefined ? rest : { ...rest, oneOf };
  const choices = oneOf.filter(isObject);
  return {
    ...rest,
    enum: choices.map((choice) => choice.const),
    enumNames: choices.map((choice) => choice.title ?? choice.const),
  };
}
