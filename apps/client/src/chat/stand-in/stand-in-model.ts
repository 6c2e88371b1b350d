import {
  contentBlocks,
  type CreateMessageParams,
  type CreateMessageResult,
  type SamplingContent,
  type ToolResultContent,
  type ToolUseContent,
} from 'rxmcp/sampling';
import type { ChatModel } from '../model.js';
import { toolFor } from './tool-for.js';

/** The name of the stand-in for `--model`. */
export const standInName = 'stand-in';

/**
 * Makes a stand-in for a model: it picks a tool by rule from the words of the question and the schemas of the tools, calls it once, and repeats
 * its result. Every answer says so.
 */
export function standInModel(): ChatModel {
  const answer = async (params: CreateMessageParams): Promise<CreateMessageResult> => {
    const content = contentOf(params);
    const stopReason = content.type === 'tool_use' ? 'toolUse' : 'endTurn';
    return { role: 'assistant', content, model: standInName, stopReason };
  };
  return Object.assign(answer, { modelName: standInName });
}

function contentOf({ messages, tools = [] }: CreateMessageParams): SamplingContent {
  const last = messages.at(-1);
  const blocks = last === undefined ? [] : contentBlocks(last);
  const results = blocks.filter((block): block is ToolResultContent => block.type === 'tool_result');
  if (results.length > 0) return said(results.map((result) => repeated(result, messages)).join('\n'));
  const question = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const use = toolFor(question, tools);
  if (use !== undefined) return { type: 'tool_use', id: `call_${messages.length}`, ...use };
  return said(
    tools.length === 0
      ? 'It has no tools to call.'
      : `No tool fits the question. It could call ${tools.map(({ name }) => name).join(', ')}.`,
  );
}

function repeated(
  { toolUseId, content, isError }: ToolResultContent,
  messages: CreateMessageParams['messages'],
): string {
  const use = messages
    .flatMap((message) => contentBlocks(message))
    .find((block): block is ToolUseContent => block.type === 'tool_use' && block.id === toolUseId);
  const texts = content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`));
  return `The tool ${use?.name ?? toolUseId} ${isError === true ? 'failed' : 'answered'}:\n${texts.join('\n')}`;
}

function said(text: string): SamplingContent {
  return { type: 'text', text: `This is the stand-in, not a language model. ${text}` };
}
