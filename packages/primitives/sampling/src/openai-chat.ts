import type { JsonObject } from '@rxmcp/core';
import { McpError } from '@rxmcp/core';
import { isObject } from '@rxmcp/core/internal';
import { blocksOf } from './check.js';
import { ModelError } from './model-error.js';
import type { CreateMessageParams, CreateMessageResult, SamplingContent, SamplingMessage } from './types.js';

/** A request in the words of a chat endpoint. Throws PARAMS_INVALID for audio and tools. */
export function chatRequest(params: CreateMessageParams, model: string, tokenLimit: string): JsonObject {
  if (params.tools !== undefined) throw new McpError('PARAMS_INVALID', `"${model}" is not given tools`);
  const { systemPrompt, temperature, stopSequences } = params;
  const system = systemPrompt === undefined ? [] : [{ role: 'system', content: systemPrompt }];
  return {
    model,
    messages: [...system, ...params.messages.map((message) => chatMessage(message, model))],
    [tokenLimit]: params.maxTokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(stopSequences === undefined || stopSequences.length === 0 ? {} : { stop: stopSequences }),
  };
}

/** The completion in the answer of a chat endpoint. Throws ModelError MODEL_ANSWER. */
export function completionOf(
  answer: unknown,
  asked: string,
  stopSequences: readonly string[],
): CreateMessageResult {
  const choices = isObject(answer) ? answer.choices : undefined;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message = isObject(choice) ? choice.message : undefined;
  if (!isObject(choice) || !isObject(message) || typeof message.content !== 'string') {
    throw new ModelError('MODEL_ANSWER', 'the answer holds no text');
  }
  const model = isObject(answer) && typeof answer.model === 'string' ? answer.model : asked;
  const stopReason = stopReasonOf(choice, stopSequences);
  return {
    role: 'assistant',
    content: { type: 'text', text: message.content },
    model,
    ...(stopReason === undefined ? {} : { stopReason }),
  };
}

function chatMessage(message: SamplingMessage, model: string): JsonObject {
  const parts = blocksOf(message).map((block) => chatPart(block, model));
  const texts = parts.every((part) => part.type === 'text');
  // A plain string is understood by every endpoint, and the only form for the assistant's turns on many.
  return { role: message.role, content: texts ? parts.map((part) => part.text).join('\n') : parts };
}

function chatPart(block: SamplingContent, model: string): JsonObject {
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type === 'image') {
    return { type: 'image_url', image_url: { url: `data:${block.mimeType};base64,${block.data}` } };
  }
  throw new McpError('PARAMS_INVALID', `"${model}" takes text and images, not "${block.type}"`);
}

function stopReasonOf(choice: JsonObject, stopSequences: readonly string[]): string | undefined {
  const { finish_reason: reason, stop_reason: matched } = choice;
  // Most endpoints say "stop" for both; those that name the sequence they met do so here.
  if (reason === 'stop') {
    return typeof matched === 'string' && stopSequences.includes(matched) ? 'stopSequence' : 'endTurn';
  }
  if (reason === 'length') return 'maxTokens';
  if (reason === 'tool_calls') return 'toolUse';
  return typeof reason === 'string' ? reason : undefined;
}
