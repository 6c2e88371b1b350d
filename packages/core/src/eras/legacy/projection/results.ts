import { blockRule } from './blocks.js';
import { promptRule, resourceRule, toolRule } from './entries.js';
import { trimmed } from './members.js';
import { chain, inEach, inMember, perRevision, table, without } from '../../rule.js';
import { toolResultRule } from './tool-result.js';
import * as since from './since.js';

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
