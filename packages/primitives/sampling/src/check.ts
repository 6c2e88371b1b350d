import type { JsonObject } from '@rxmcp/core';
import { isContentBlock } from '@rxmcp/core';
import { blockProblem, isObject, shown } from '@rxmcp/core/internal';
import { checkTurns, usesProblem } from './turns.js';
import type { CreateMessageParams, SamplingContent, SamplingMessage } from './types.js';

/** What is wrong with the parameters of a request, or undefined. */
export function paramsProblem(params: JsonObject): string | undefined {
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

/** What is wrong with a completion, or with it as the answer to a request where one is given; or undefined. */
export function resultProblem(result: unknown, asked?: CreateMessageParams): string | undefined {
  if (!isObject(result)) return 'it is no object';
  if (typeof result.model !== 'string') return '"model" must be a string';
  if (result.stopReason !== undefined && typeof result.stopReason !== 'string') {
    return '"stopReason" must be a string';
  }
  return messageProblem(result) ?? (asked === undefined ? undefined : usesProblem(result as never, asked));
}

/** Whether a request wants something that a client has to declare beside sampling itself. */
export function extrasOf({ includeContext, tools, toolChoice }: CreateMessageParams | JsonObject): {
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
  return `has content of the unknown or incomplete type ${shown(isObject(bad) ? bad.type : bad)}`;
}

function mediaProblem(blocks: readonly SamplingContent[]): string | undefined {
  for (const block of blocks) {
    const problem = problemOf(block);
    if (problem !== undefined) return `has content that ${problem}`;
  }
  return undefined;
}

function problemOf(block: SamplingContent): string | undefined {
  if (block.type === 'image' || block.type === 'audio') return blockProblem(block);
  if (block.type !== 'tool_result') return undefined;
  const bad = block.content.map(blockProblem).find((problem) => problem !== undefined);
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
      return typeof value.id === 'string' && typeof value.name === 'string' && isObject(value.input);
    case 'tool_result':
      return typeof value.toolUseId === 'string' && isArrayOf(value.content, isContentBlock);
    default:
      return false;
  }
}

function isArrayOf(value: unknown, isOne: (value: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne);
}
