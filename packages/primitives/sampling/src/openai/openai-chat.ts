import { type JsonObject, RxmcpError } from '@rxmcp/core';
import { contentBlocks } from '../messages/message-content.js';
import type {
  CreateMessageParams,
  SamplingContent,
  SamplingMessage,
  ToolChoice,
  ToolDefinition,
  ToolResultContent,
  ToolUseContent,
} from '../messages/types.js';

/** Converts a request for a chat endpoint. Throws INVALID_PARAMS for unsupported content. */
export function chatRequest(params: CreateMessageParams, model: string, tokenLimitField: string): JsonObject {
  const { systemPrompt, temperature, stopSequences, tools, toolChoice } = params;
  const system = systemPrompt === undefined ? [] : [{ role: 'system', content: systemPrompt }];
  return {
    model,
    messages: [...system, ...params.messages.flatMap((message) => chatMessages(message, model))],
    [tokenLimitField]: params.maxTokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(stopSequences === undefined || stopSequences.length === 0 ? {} : { stop: stopSequences }),
    // Endpoints reject a tool choice without tools.
    ...(tools === undefined || tools.length === 0 ? {} : chatTools(tools, toolChoice)),
  };
}

function chatTools(tools: readonly ToolDefinition[], choice: ToolChoice | undefined): JsonObject {
  const functions = tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, ...(description === undefined ? {} : { description }), parameters: inputSchema },
  }));
  return { tools: functions, ...(choice?.mode === undefined ? {} : { tool_choice: choice.mode }) };
}

// Chat endpoints take each tool result as a separate message.
function chatMessages(message: SamplingMessage, model: string): readonly JsonObject[] {
  const blocks = contentBlocks(message);
  if (blocks.some((block) => block.type === 'tool_result')) {
    return blocks.map((block) => {
      const { toolUseId, ...result } = block as ToolResultContent;
      return { role: 'tool', tool_call_id: toolUseId, content: toolText(result) };
    });
  }
  const calls = blocks.filter((block): block is ToolUseContent => block.type === 'tool_use').map(chatCall);
  const parts = blocks.flatMap((block) => (block.type === 'tool_use' ? [] : [chatPart(block, model)]));
  const texts = parts.every((part) => part.type === 'text');
  // A plain string is understood by every endpoint, and the only form for the assistant's turns on many.
  const content = texts ? parts.map((part) => part.text).join('\n') : parts;
  if (calls.length === 0) return [{ role: message.role, content }];
  return [{ role: message.role, content: parts.length === 0 ? null : content, tool_calls: calls }];
}

function chatCall({ id, name, input }: ToolUseContent): JsonObject {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}

function chatPart(block: SamplingContent, model: string): JsonObject {
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type === 'image') {
    return { type: 'image_url', image_url: { url: `data:${block.mimeType};base64,${block.data}` } };
  }
  const format = block.type === 'audio' ? audioFormats.get(block.mimeType) : undefined;
  if (block.type === 'audio' && format !== undefined) {
    return { type: 'input_audio', input_audio: { data: block.data, format } };
  }
  const what = block.type === 'audio' ? `audio of the type "${block.mimeType}"` : `"${block.type}"`;
  throw new RxmcpError('INVALID_PARAMS', `"${model}" takes text, images, wav and mp3, not ${what}`);
}

const audioFormats: ReadonlyMap<string, string> = new Map([
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
]);

// Chat endpoints take tool results as text only: other content is named, so that the model knows that it exists.
function toolText({ content, structuredContent, isError }: Partial<ToolResultContent>): string {
  const texts = (content ?? []).map((block) => {
    switch (block.type) {
      case 'text':
        return block.text;
      case 'resource':
        return block.resource.text ?? `[resource ${block.resource.uri}]`;
      case 'resource_link':
        return `[resource ${block.uri}]`;
      default:
        return `[${block.type}, ${block.mimeType}]`;
    }
  });
  if (texts.length === 0 && structuredContent !== undefined) texts.push(JSON.stringify(structuredContent));
  return isError === true ? `Error: ${texts.join('\n')}` : texts.join('\n');
}
