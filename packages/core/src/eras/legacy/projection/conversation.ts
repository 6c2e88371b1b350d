import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../../../base/checks.js';
import { RxmcpError } from '../../../base/errors.js';
import { askUnavailable } from '../../ask-unavailable.js';
import type { Rule } from '../../projection-rule.js';
import { inEach, mapped } from '../../projection-rule.js';
import { blockRule, objectsOnly, trimmed } from './content.js';
import { r03, r11 } from './since.js';
import * as since from './since.js';

const method = 'sampling/createMessage';

/**
 * Returns the rule for the messages of a sampling request. Before 2025-11-25 a message has one block, so that
 * several blocks become several messages. The rule throws ASK_UNAVAILABLE for tools there and for audio before
 * 2025-03-26, because the answer would not fit the ask.
 */
export function conversationRule(revision: string): Rule | undefined {
  if (revision >= r11) return inEach('messages', objectAnswers);
  const block = blockRule(revision);
  const message = trimmed(since.message, revision);
  return (params) => {
    if (params.tools !== undefined || params.toolChoice !== undefined) throw lacks(revision, 'tools');
    if (!Array.isArray(params.messages)) return params;
    const messages = params.messages.flatMap((each: unknown) => {
      if (!isObject(each)) return [each];
      const bare = message === undefined ? each : message(each);
      return blocksOf(bare).map((content) => ({ ...bare, content: checked(content, revision, block) }));
    });
    return { ...params, messages };
  };
}

/**
 * Returns the rule for a sampling result. Before 2025-11-25 several texts become one. The rule throws
 * HANDLER_FAILED for blocks that the revision does not have, because the server would take the rest for the whole.
 */
export function completionRule(revision: string): Rule | undefined {
  if (revision >= r11) return undefined;
  const block = blockRule(revision);
  return (result) => {
    const blocks = blocksOf(result);
    const foreign = blocks.find((one) => unsupportedPart(one, revision) !== undefined);
    if (foreign !== undefined) throw cannotExpress(revision, unsupportedPart(foreign, revision) as string);
    if (!Array.isArray(result.content)) return apply(result, block);
    if (blocks.length === 1) return apply({ ...result, content: blocks[0] }, block);
    const texts = blocks.flatMap((one) => (isObject(one) && one.type === 'text' ? [one.text] : []));
    if (texts.length < blocks.length) throw cannotExpress(revision, 'a completion of several blocks');
    return { ...result, content: { type: 'text', text: texts.join('\n') } };
  };
}

// Until 2025-11-25 the structured content of a tool result must be an object, here as in its own result.
function objectAnswers(message: JsonObject): JsonObject {
  const before = blocksOf(message);
  const after = mapped(before, (block) => (block.type === 'tool_result' ? objectsOnly(block) : block));
  if (after === before) return message;
  return { ...message, content: Array.isArray(message.content) ? after : after[0] };
}

function blocksOf({ content }: JsonObject): readonly unknown[] {
  return Array.isArray(content) ? content : [content];
}

function apply(result: JsonObject, block: Rule | undefined): JsonObject {
  const { content } = result;
  if (block === undefined || !isObject(content)) return result;
  const after = block(content);
  return after === content ? result : { ...result, content: after };
}

function checked(content: unknown, revision: string, block: Rule | undefined): unknown {
  const what = unsupportedPart(content, revision);
  if (what !== undefined) throw lacks(revision, what);
  return block === undefined || !isObject(content) ? content : block(content);
}

/** Returns what a block contains that the revision does not have. */
function unsupportedPart(block: unknown, revision: string): string | undefined {
  const type = isObject(block) ? block.type : undefined;
  if (type === 'tool_use' || type === 'tool_result') return 'tools';
  return type === 'audio' && revision < r03 ? 'sound' : undefined;
}

function lacks(revision: string, what: string): RxmcpError {
  return askUnavailable(method, `: ${revision} has no ${what} in it`);
}

function cannotExpress(revision: string, what: string): RxmcpError {
  return new RxmcpError(
    'HANDLER_FAILED',
    `the response to "${method}" contains what ${revision} cannot express: ${what}`,
  );
}
