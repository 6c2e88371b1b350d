import type { JsonObject } from '@rxmcp/core';
import { isObject } from '@rxmcp/core/internal';
import { contentBlocks, messageText } from '../messages/message-content.js';
import { ModelError } from '../messages/model-error.js';
import type { CreateMessageResult, SamplingContent, ToolUseContent } from '../messages/types.js';
import type { TokenUsage } from '../budget/token-usage.js';

/** Returns the completion of a chat endpoint's response. Throws ModelError MODEL_INVALID_RESPONSE. */
export function completionOf(
  response: unknown,
  asked: string,
  stopSequences: readonly string[],
): CreateMessageResult {
  const choices = isObject(response) ? response.choices : undefined;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message = isObject(choice) ? choice.message : undefined;
  if (!isObject(choice) || !isObject(message)) throw bad('holds no message');
  const uses = Array.isArray(message.tool_calls) ? message.tool_calls.map(useOf) : [];
  const { content: said } = message;
  if (typeof said !== 'string' && uses.length === 0) throw bad('holds no text');
  const blocks: readonly SamplingContent[] =
    typeof said === 'string' && (said !== '' || uses.length === 0)
      ? [{ type: 'text', text: said }, ...uses]
      : uses;
  const [first] = blocks;
  const model = isObject(response) && typeof response.model === 'string' ? response.model : asked;
  // Some endpoints say "stop" when they use a tool.
  const stopReason = uses.length > 0 ? 'toolUse' : stopReasonOf(choice, stopSequences);
  return {
    role: 'assistant',
    content: blocks.length === 1 && first !== undefined ? first : blocks,
    model,
    ...(stopReason === undefined ? {} : { stopReason }),
  };
}

function useOf(call: unknown, at: number): ToolUseContent {
  const made = isObject(call) ? call.function : undefined;
  if (!isObject(call) || !isObject(made) || typeof made.name !== 'string')
    throw bad('uses a tool without a name');
  // Small endpoints omit the id. It must be unique within one turn only.
  const id = typeof call.id === 'string' && call.id !== '' ? call.id : `call_${at}`;
  return { type: 'tool_use', id, name: made.name, input: inputOf(made.arguments) };
}

function inputOf(text: unknown): JsonObject {
  if (text === undefined || text === '') return {};
  let input: unknown = text;
  try {
    if (typeof text === 'string') input = JSON.parse(text);
  } catch (cause) {
    throw bad('uses a tool with an input that is no JSON', cause);
  }
  if (!isObject(input)) throw bad('uses a tool with an input that is not a JSON object');
  return input;
}

function stopReasonOf(choice: JsonObject, stopSequences: readonly string[]): string | undefined {
  const { finish_reason: reason, stop_reason: matched } = choice;
  // Most endpoints say "stop" for both; those that name the sequence they met do so here.
  if (reason === 'stop') {
    return typeof matched === 'string' && stopSequences.includes(matched) ? 'stopSequence' : 'endTurn';
  }
  if (reason === 'length') return 'maxTokens';
  return typeof reason === 'string' ? reason : undefined;
}

function bad(what: string, cause?: unknown): ModelError {
  return new ModelError(
    'MODEL_INVALID_RESPONSE',
    `the response ${what}`,
    cause === undefined ? {} : { cause },
  );
}

/** The usage that a chat endpoint reports. */
interface ChatUsage extends TokenUsage {
  /** Output tokens without reasoning tokens. */
  readonly saidTokens: number;
}

/** Returns the usage of a response; undefined if it has none. */
export function chatUsage(response: unknown): ChatUsage | undefined {
  const usage = isObject(response) ? response.usage : undefined;
  if (!isObject(usage)) return undefined;
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens, cost } = usage;
  if (!isCount(inputTokens) || !isCount(outputTokens)) return undefined;
  const details = usage.completion_tokens_details;
  const thought = isObject(details) && isCount(details.reasoning_tokens) ? details.reasoning_tokens : 0;
  const saidTokens = Math.max(0, outputTokens - thought);
  return { inputTokens, outputTokens, saidTokens, ...(isCount(cost) ? { cost } : {}) };
}

/**
 * Cuts a completion to that many tokens, since small endpoints ignore the limit. Without usage figures a word counts as one
 * token. Throws MODEL_INVALID_RESPONSE if tool uses exceed the limit, since they cannot be cut.
 */
export function withinLimit(
  completion: CreateMessageResult,
  maxTokens: number,
  usage: ChatUsage | undefined,
): CreateMessageResult {
  if (usage !== undefined && usage.saidTokens <= maxTokens) return completion;
  const text = messageText(completion);
  const words = [...text.matchAll(word)];
  const tokens = usage?.saidTokens ?? words.length;
  if (tokens <= maxTokens) return completion;
  if (contentBlocks(completion).some(({ type }) => type === 'tool_use'))
    throw new ModelError(
      'MODEL_INVALID_RESPONSE',
      `the response has ${tokens} tokens, more than the limit of ${maxTokens}`,
    );
  const over = words[Math.floor((words.length * maxTokens) / tokens)];
  const kept = over === undefined ? '' : text.slice(0, over.index).trimEnd();
  return { ...completion, content: { type: 'text', text: kept }, stopReason: 'maxTokens' };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

// Scripts that are written without spaces count a word for each character. An engine's segmenter would copy the whole text per word.
const word =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]|[\p{L}\p{M}\p{N}_]+(?:['’.][\p{L}\p{N}]+)*/gu;
