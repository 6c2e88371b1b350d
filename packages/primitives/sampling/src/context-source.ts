import type { Context } from '@rxmcp/core';
import { blocksOf } from './blocks.js';
import type { CreateMessageParams, SamplingMessage } from './types.js';

/** Gives what a model may know beside the conversation: of the server that asks, or of all. Nothing for none. */
export type ContextSource = (
  wanted: 'thisServer' | 'allServers',
  ctx: Context,
) => string | undefined | PromiseLike<string | undefined>;

/**
 * The request with the context that it wants as a text in front of what the user says first, cut at the limit. It wants no more
 * then.
 */
export async function withContext(
  params: CreateMessageParams,
  source: ContextSource,
  maxChars: number,
  ctx: Context,
): Promise<CreateMessageParams> {
  const { includeContext, ...rest } = params;
  if (includeContext === undefined || includeContext === 'none') return params;
  const found = await source(includeContext, ctx);
  const bare = rest as CreateMessageParams;
  if (found === undefined || found === '') return bare;
  const text = `Context (${includeContext}):\n${cut(found, maxChars)}`;
  return { ...bare, messages: withText(params.messages, text) };
}

function withText(messages: readonly SamplingMessage[], text: string): readonly SamplingMessage[] {
  const block = { type: 'text', text } as const;
  const [first, ...later] = messages;
  // Many models want the roles to take turns, and what tools answered stands alone.
  const joins = first?.role === 'user' && blocksOf(first).every(({ type }) => type !== 'tool_result');
  if (first === undefined || !joins) return [{ role: 'user', content: block }, ...messages];
  return [{ ...first, content: [block, ...blocksOf(first)] }, ...later];
}

function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  // Not through the middle of a character.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(maxChars - 1)) ? maxChars - 1 : maxChars;
  return `${text.slice(0, end)}\n(cut)`;
}
