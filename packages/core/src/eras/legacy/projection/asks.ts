import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../../../base/checks.js';
import { quoted } from '../../../base/message-text.js';
import { askUnavailable } from '../../ask-unavailable.js';
import { chain, inEach, inMember, perRevision, table } from '../../projection-rule.js';
import type { Rule } from '../../projection-rule.js';
import { trimmed } from './content.js';
import { completionRule, conversationRule } from './conversation.js';
import { r11 } from './since.js';
import * as since from './since.js';

/** Rules for asks to clients, by method. They throw ASK_UNAVAILABLE for what a revision cannot express. */
export const questionRules = /* @__PURE__ */ perRevision((revision) =>
  table({
    'elicitation/create': chain(
      revision < r11 ? (params) => noPages(params, revision) : undefined,
      trimmed(since.question, revision),
      inMember('requestedSchema', formRule(revision)),
    ),
    'sampling/createMessage': conversationRule(revision),
  }),
);

/** Rules for answers of clients, by method. They throw HANDLER_FAILED for what a revision cannot express. */
export const answerRules = /* @__PURE__ */ perRevision((revision) =>
  table({
    'sampling/createMessage': completionRule(revision),
    'roots/list': inEach('roots', trimmed(since.root, revision)),
  }),
);

/** Returns the rule for requests of clients; undefined if nothing changes. */
export function requestRule(method: string, revision: string): Rule | undefined {
  if (method !== 'completion/complete') return undefined;
  return chain(trimmed(since.completion, revision), inMember('ref', trimmed(since.reference, revision)));
}

function noPages(params: JsonObject, revision: string): JsonObject {
  if (params.mode !== 'url') return params;
  throw askUnavailable('elicitation/create', `: ${revision} has no URL elicitation`);
}

/**
 * Returns the rule that converts a form to 2025-06-18: titled choices become `enumNames`; defaults are removed
 * except for booleans; optional multiple-choice fields are removed. The rule throws ASK_UNAVAILABLE for a required
 * one.
 */
function formRule(revision: string): Rule | undefined {
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
    throw askUnavailable(
      'elicitation/create',
      `: ${revision} has no multiple-choice field such as ${quoted(name)}`,
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
