import { blocksOf } from './blocks.js';
import type { CreateMessageParams, CreateMessageResult, SamplingMessage, ToolUseContent } from './types.js';

/**
 * What is wrong with the tool turns of a conversation, or undefined: every use of a tool is answered by the very next
 * message, which holds nothing else. Spec 2026-07-28 client/sampling.
 */
export function checkTurns(messages: readonly SamplingMessage[]): string | undefined {
  let open = new Set<string>();
  for (const [at, { role, content }] of messages.entries()) {
    const blocks = blocksOf({ content });
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

/** How many turns of a model used tools since the user last said something. */
export function toolTurns(messages: readonly SamplingMessage[]): number {
  const said = messages.findLastIndex(
    (message) => message.role === 'user' && blocksOf(message).some(({ type }) => type !== 'tool_result'),
  );
  return messages
    .slice(said + 1)
    .filter((message) => blocksOf(message).some(({ type }) => type === 'tool_use')).length;
}

/** What is wrong with the tools that a completion uses, given what it was allowed; or undefined. */
export function usesProblem(
  { role, content }: CreateMessageResult,
  { tools, toolChoice }: CreateMessageParams,
): string | undefined {
  const blocks = blocksOf({ content });
  if (blocks.some(({ type }) => type === 'tool_result'))
    return "it holds a tool result, which is the server's to give";
  const uses = blocks.filter((block): block is ToolUseContent => block.type === 'tool_use');
  if (uses.length === 0) return undefined;
  if (role !== 'assistant') return 'it uses a tool, which only the assistant does';
  if (tools === undefined || toolChoice?.mode === 'none') return 'it uses a tool, which it was not allowed';
  const twice = repeated(uses.map(({ id }) => id));
  return twice === undefined ? undefined : `it has two tool uses "${twice}"`;
}

/** The first text that stands there twice. */
function repeated(texts: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return texts.find((one) => seen.size === seen.add(one).size);
}
