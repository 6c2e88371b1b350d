import type { JsonObject } from '@rxmcp/jsonrpc';
import { McpError } from '../../../errors.js';
import { completionRule, conversationRule } from './conversation.js';
import { formRule } from './form.js';
import { trimmed } from './members.js';
import { r11 } from './revisions.js';
import type { Rule } from '../../rule.js';
import { chain, inEach, inMember, perRevision, table } from '../../rule.js';
import * as since from './since.js';

/** What servers ask clients for, by method. The rules throw ASK_UNAVAILABLE for what a revision cannot ask. */
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

/** What clients answer, by method. The rules throw HANDLER_FAILED for what a revision cannot say. */
export const answerRules = /* @__PURE__ */ perRevision((revision) =>
  table({
    'sampling/createMessage': completionRule(revision),
    'roots/list': inEach('roots', trimmed(since.root, revision)),
  }),
);

/** What clients ask servers for; undefined where nothing changes. */
export function requestRule(method: string, revision: string): Rule | undefined {
  if (method !== 'completion/complete') return undefined;
  return chain(trimmed(since.completion, revision), inMember('ref', trimmed(since.reference, revision)));
}

function noPages(params: JsonObject, revision: string): JsonObject {
  if (params.mode !== 'url') return params;
  const message = `"elicitation/create" cannot be asked: ${revision} has no pages to visit`;
  throw new McpError('ASK_UNAVAILABLE', message);
}
