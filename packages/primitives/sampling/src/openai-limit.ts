import { isObject } from '@rxmcp/core/internal';
import { blocksOf, textOf } from './blocks.js';
import { ModelError } from './model-error.js';
import type { CreateMessageResult } from './types.js';
import type { TokenUsage } from './usage.js';
import { wordsOf } from './words.js';

/** What a chat endpoint says that its answer took. */
export interface ChatUsage extends TokenUsage {
  /** What it wrote without what it thought. */
  readonly saidTokens: number;
}

/** Reads it from the answer; undefined where it is not there. */
export function chatUsage(answer: unknown): ChatUsage | undefined {
  const usage = isObject(answer) ? answer.usage : undefined;
  if (!isObject(usage)) return undefined;
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage;
  if (!isCount(inputTokens) || !isCount(outputTokens)) return undefined;
  const details = usage.completion_tokens_details;
  const thought = isObject(details) && isCount(details.reasoning_tokens) ? details.reasoning_tokens : 0;
  return { inputTokens, outputTokens, saidTokens: Math.max(0, outputTokens - thought) };
}

/**
 * A completion of at most that many tokens: small endpoints pass over the limit. Where they do not say how many there are, a
 * word is one. Throws MODEL_ANSWER where uses of tools are too long, since half of one is none.
 */
export function withinLimit(
  completion: CreateMessageResult,
  maxTokens: number,
  usage: ChatUsage | undefined,
): CreateMessageResult {
  if (usage !== undefined && usage.saidTokens <= maxTokens) return completion;
  const text = textOf(completion);
  const words = wordsOf(text);
  const tokens = usage?.saidTokens ?? words.length;
  if (tokens <= maxTokens) return completion;
  if (blocksOf(completion).some(({ type }) => type === 'tool_use'))
    throw new ModelError('MODEL_ANSWER', `the answer has ${tokens} tokens, where ${maxTokens} are the limit`);
  const over = words[Math.floor((words.length * maxTokens) / tokens)];
  const kept = over === undefined ? '' : text.slice(0, over.index).trimEnd();
  return { ...completion, content: { type: 'text', text: kept }, stopReason: 'maxTokens' };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
