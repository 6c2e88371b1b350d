import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../../../base/checks.js';
import { RxmcpError } from '../../../base/errors.js';
import type { Rule } from '../../projection-rule.js';
import { inEach, mapped } from '../../projection-rule.js';
import { blockRule, objectsOnly, trimmed } from './content.js';
import { r03, r11 } from './since.js';
import * as since from './since.js';

const method = 'sampling/createMessage';

/**
 * A conversation as a revision knows it: before 2025-11-25 each message holds one block, so several become several messages
 * in a row. Throws ASK_UNAVAILABLE for tools there, and for sound before 2025-03-26: the answer would not be one to what
 * was asked.
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
 * A completion as the server's revision knows it: texts are one text before 2025-11-25. Throws HANDLER_FAILED for what it
 * has no word for, since half a completion would be taken for the whole.
 */
export function completionRule(revision: string): Rule | undefined {
  if (revision >= r11) return undefined;
  const block = blockRule(revision);
  return (result) => {
    const blocks = blocksOf(result);
    const foreign = blocks.find((one) => wordless(one, revision) !== undefined);
    if (foreign !== undefined) throw unsayable(revision, wordless(foreign, revision) as string);
    if (!Array.isArray(result.content)) return apply(result, block);
    if (blocks.length === 1) return apply({ ...result, content: blocks[0] }, block);
    const texts = blocks.flatMap((one) => (isObject(one) && one.type === 'text' ? [one.text] : []));
    if (texts.length < blocks.length) throw unsayable(revision, 'a completion of several blocks');
    return { ...result, content: { type: 'text', text: texts.join('\n') } };
  };
}

// What a tool answered is an object up to 2025-11-25, here as in its own result.
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
  const what = wordless(content, revision);
  if (what !== undefined) throw lacks(revision, what);
  return block === undefined || !isObject(content) ? content : block(content);
}

/** What a block holds that the revision has no word for. */
function wordless(block: unknown, revision: string): string | undefined {
  const type = isObject(block) ? block.type : undefined;
  if (type === 'tool_use' || type === 'tool_result') return 'tools';
  return type === 'audio' && revision < r03 ? 'sound' : undefined;
}

function lacks(revision: string, what: string): RxmcpError {
  return new RxmcpError('ASK_UNAVAILABLE', `"${method}" cannot be asked: ${revision} has no ${what} in it`);
}

function unsayable(revision: string, what: string): RxmcpError {
  return new RxmcpError(
    'HANDLER_FAILED',
    `the answer to "${method}" holds what ${revision} has no word for: ${what}`,
  );
}
