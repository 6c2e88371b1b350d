import { type JsonObject, isContentBlock } from '@rxmcp/core';
import { validateContentBlock, isObject, describeValue, maxKeyLength } from '@rxmcp/core/internal';
import { contentBlocks } from './message-content.js';
import type {
  CreateMessageParams,
  CreateMessageResult,
  SamplingContent,
  SamplingMessage,
  ToolUseContent,
} from './types.js';

/** Returns the problem of a request's parameters, or undefined. */
export function validateParams(params: JsonObject): string | undefined {
  const { messages, maxTokens } = params;
  if (!Array.isArray(messages)) return '"messages" must be an array';
  for (const [at, message] of messages.entries()) {
    const problem = messageProblem(message);
    if (problem !== undefined) return `"messages[${at}]" ${problem}`;
  }
  if (typeof maxTokens !== 'number' || !Number.isInteger(maxTokens) || maxTokens < 1) {
    return '"maxTokens" must be a positive integer';
  }
  for (const [name, isRight, wanted] of optional) {
    if (params[name] !== undefined && !isRight(params[name])) return `"${name}" must be ${wanted}`;
  }
  return preferencesProblem(params.modelPreferences) ?? checkTurns(messages as readonly SamplingMessage[]);
}

/** Returns the problem of a completion, also as the answer to a request if one is given; or undefined. */
export function validateResult(result: unknown, asked?: CreateMessageParams): string | undefined {
  if (!isObject(result)) return 'it is not an object';
  if (typeof result.model !== 'string') return '"model" must be a string';
  if (result.stopReason !== undefined && typeof result.stopReason !== 'string') {
    return '"stopReason" must be a string';
  }
  return (
    messageProblem(result) ?? (asked === undefined ? undefined : validateToolUses(result as never, asked))
  );
}

/** The features that a request uses and a client must declare in addition to `sampling`. */
export function samplingFeatures({ includeContext, tools, toolChoice }: CreateMessageParams | JsonObject): {
  readonly context: boolean;
  readonly tools: boolean;
} {
  const context = includeContext !== undefined && includeContext !== 'none';
  return { context, tools: tools !== undefined || toolChoice !== undefined };
}

type Check = readonly [name: string, isRight: (value: unknown) => boolean, wanted: string];

const optional: readonly Check[] = [
  ['systemPrompt', (value) => typeof value === 'string', 'a string'],
  ['temperature', (value) => Number.isFinite(value), 'a number'],
  ['stopSequences', (value) => isArrayOf(value, (one) => typeof one === 'string'), 'an array of strings'],
  [
    'includeContext',
    (value) => value === 'none' || value === 'thisServer' || value === 'allServers',
    'none, thisServer or allServers',
  ],
  ['metadata', isObject, 'an object'],
  ['modelPreferences', isObject, 'an object'],
  ['tools', (value) => isArrayOf(value, isTool), 'an array of tools with a name and an inputSchema'],
  ['toolChoice', isToolChoice, 'an object with the mode auto, required or none'],
];

function isTool(value: unknown): boolean {
  return (
    isObject(value) && typeof value.name === 'string' && value.name !== '' && isObject(value.inputSchema)
  );
}

function isToolChoice(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { mode } = value;
  return mode === undefined || mode === 'auto' || mode === 'required' || mode === 'none';
}

function preferencesProblem(preferences: unknown): string | undefined {
  if (!isObject(preferences)) return undefined;
  const { hints } = preferences;
  if (hints !== undefined && !isArrayOf(hints, isHint)) {
    return '"modelPreferences.hints" must be an array of objects with a name';
  }
  for (const name of ['costPriority', 'speedPriority', 'intelligencePriority']) {
    const value = preferences[name];
    if (value !== undefined && !(typeof value === 'number' && value >= 0 && value <= 1)) {
      return `"modelPreferences.${name}" must be a number from 0 to 1`;
    }
  }
  return undefined;
}

function isHint(value: unknown): boolean {
  return isObject(value) && (value.name === undefined || typeof value.name === 'string');
}

function messageProblem(message: unknown): string | undefined {
  if (!isObject(message)) return 'must be an object';
  if (message.role !== 'user' && message.role !== 'assistant') return 'must have the role user or assistant';
  const { content } = message;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  const at = blocks.findIndex((block) => !isSamplingContent(block));
  if (at < 0) return mediaProblem(blocks as readonly SamplingContent[]);
  const bad = blocks[at];
  return `has content of the unknown or incomplete type ${describeValue(isObject(bad) ? bad.type : bad)}`;
}

function mediaProblem(blocks: readonly SamplingContent[]): string | undefined {
  for (const block of blocks) {
    const problem = problemOf(block);
    if (problem !== undefined) return `has content that ${problem}`;
  }
  return undefined;
}

function problemOf(block: SamplingContent): string | undefined {
  if (block.type === 'image' || block.type === 'audio') return validateContentBlock(block);
  if (block.type !== 'tool_result') return undefined;
  const bad = block.content.map(validateContentBlock).find((problem) => problem !== undefined);
  return bad === undefined ? undefined : `holds what ${bad}`;
}

function isSamplingContent(value: unknown): value is SamplingContent {
  if (!isObject(value)) return false;
  switch (value.type) {
    case 'text':
    case 'image':
    case 'audio':
      return isContentBlock(value);
    case 'tool_use':
      return isId(value.id) && typeof value.name === 'string' && isObject(value.input);
    case 'tool_result':
      return isId(value.toolUseId) && isArrayOf(value.content, isContentBlock);
    default:
      return false;
  }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxKeyLength;
}

function isArrayOf(value: unknown, isOne: (value: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne);
}

/**
 * Returns the problem of a conversation's tool turns, or undefined: the next message must answer every tool use and hold nothing
 * else.
 * @see Spec 2026-07-28 client/sampling
 */
function checkTurns(messages: readonly SamplingMessage[]): string | undefined {
  let open = new Set<string>();
  for (const [at, { role, content }] of messages.entries()) {
    const blocks = contentBlocks({ content });
    const answered = blocks.flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : []));
    const uses = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    const where = `"messages[${at}]"`;
    if (answered.length > 0 && (role !== 'user' || answered.length < blocks.length)) {
      return `${where} must hold tool results only, from the user`;
    }
    const twice = repeated(uses);
    if (twice !== undefined) return `${where} has two tool uses "${twice}"`;
    if (uses.length > 0 && role !== 'assistant') return `${where} uses a tool, which only the assistant does`;
    const stray = answered.find((id) => !open.delete(id));
    if (stray !== undefined) return `${where} answers the tool use "${stray}", which is not open`;
    const left = [...open][0];
    if (left !== undefined) return `${where} leaves the tool use "${left}" without its result`;
    open = new Set(uses);
  }
  const left = [...open][0];
  return left === undefined ? undefined : `the tool use "${left}" has no result`;
}

/** Returns the number of tool turns since the last user message. */
export function toolTurns(messages: readonly SamplingMessage[]): number {
  const said = messages.findLastIndex(
    (message) => message.role === 'user' && contentBlocks(message).some(({ type }) => type !== 'tool_result'),
  );
  return messages
    .slice(said + 1)
    .filter((message) => contentBlocks(message).some(({ type }) => type === 'tool_use')).length;
}

/** Returns the problem of a completion's tool uses, given the allowed ones; or undefined. */
function validateToolUses(
  { role, content }: CreateMessageResult,
  { tools, toolChoice }: CreateMessageParams,
): string | undefined {
  const blocks = contentBlocks({ content });
  if (blocks.some(({ type }) => type === 'tool_result'))
    return "it holds a tool result, which is the server's to give";
  const uses = blocks.filter((block): block is ToolUseContent => block.type === 'tool_use');
  if (uses.length === 0) return undefined;
  if (role !== 'assistant') return 'it uses a tool, which only the assistant does';
  if (tools === undefined || toolChoice?.mode === 'none') return 'it uses a tool, which it was not allowed';
  const twice = repeated(uses.map(({ id }) => id));
  return twice === undefined ? undefined : `it has two tool uses "${twice}"`;
}

/** Returns the first duplicate text. */
function repeated(texts: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return texts.find((one) => seen.size === seen.add(one).size);
}
