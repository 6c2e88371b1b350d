import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../../../base/checks.js';
import { chain, inMember, perRevision } from '../../projection-rule.js';
import type { Rule } from '../../projection-rule.js';
import { trimmed } from './content.js';
import { r11 } from './since.js';
import * as since from './since.js';

/** Rules for the result of `initialize`. */
export const initializeResultRule = /* @__PURE__ */ perRevision<Rule>(
  (revision) =>
    chain(
      inMember('serverInfo', trimmed(since.implementation, revision)),
      inMember('capabilities', trimmed(since.serverCapabilities, revision)),
    ) ?? same,
);

/** Returns the parameters of `initialize` for a revision. The server may respond with an older one. */
export function initializeParamsRule(revision: string): Rule {
  return (
    chain(
      inMember('clientInfo', trimmed(since.implementation, revision)),
      inMember(
        'capabilities',
        chain(
          trimmed(since.clientCapabilities, revision),
          revision < r11 ? formsOnly : undefined,
          inMember('sampling', trimmed(since.sampling, revision)),
        ),
      ),
    ) ?? same
  );
}

function same(thing: JsonObject): JsonObject {
  return thing;
}

// Before 2025-11-25 elicitation means forms, so that a client that supports only URLs declares none.
function formsOnly(capabilities: JsonObject): JsonObject {
  const { elicitation, ...rest } = capabilities;
  if (!isObject(elicitation) || Object.keys(elicitation).length === 0) return capabilities;
  return elicitation.form === undefined ? rest : { ...rest, elicitation: {} };
}
