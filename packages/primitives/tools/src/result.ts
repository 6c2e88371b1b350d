import { isContentBlock, RxmcpError } from '@rxmcp/core';
import { validateContentBlock, isObject, isThenable, formatProblems } from '@rxmcp/core/internal';
import type { Tool, ToolParts } from './tool.js';
import { jsonOf } from './schema.js';
import type { ToolResult } from './types.js';

/** Makes a result of a handler's value. Throws NO_RESULT if there is no value, and a TypeError for an invalid one. */
export function toToolResult(tool: Tool, parts: ToolParts, value: unknown): ToolResult | Promise<ToolResult> {
  if (value === undefined || (value === null && !parts.structured)) {
    throw new RxmcpError(
      'NO_RESULT',
      `tool "${tool.name}" returned nothing. Return a string, content blocks or a result; after => { a function needs "return"`,
    );
  }
  return parts.structured ? structured(tool, parts, value) : blocks(tool, value);
}

function blocks(tool: Tool, value: unknown): ToolResult {
  if (typeof value === 'string') return { content: [{ type: 'text', text: value }] };
  if (isContentBlock(value)) return good(tool, { content: [value] });
  if (Array.isArray(value)) {
    if (value.every(isContentBlock)) return good(tool, { content: value });
  } else if (isWhole(value)) {
    return good(tool, value);
  }
  throw new TypeError(
    `tool "${tool.name}" returned neither content nor a result; to return data, declare its \`output\` schema`,
  );
}

// If data is expected, a whole result is recognised by members that plain data does not have.
function structured(tool: Tool, parts: ToolParts, value: unknown): ToolResult | Promise<ToolResult> {
  if (isWhole(value)) {
    good(tool, value);
    if (value.isError === true) return value;
    if ('structuredContent' in value) {
      return checked(tool, parts, value.structuredContent, (data) => ({ ...value, structuredContent: data }));
    }
  }
  return checked(tool, parts, value, (data) => ({
    content: [{ type: 'text', text: jsonOf(data) }],
    structuredContent: data,
  }));
}

/** Returns the same result. Throws a TypeError that names an invalid content block. */
function good(tool: Tool, result: ToolResult): ToolResult {
  for (let at = 0; at < result.content.length; at += 1) {
    const block = result.content[at];
    const problem = block?.type === 'text' ? undefined : validateContentBlock(block);
    if (problem !== undefined)
      throw new TypeError(`tool "${tool.name}" returned "content[${at}]", which ${problem}`);
  }
  return result;
}

function checked(
  tool: Tool,
  { checkOutput }: ToolParts,
  data: unknown,
  made: (data: unknown) => ToolResult,
): ToolResult | Promise<ToolResult> {
  if (checkOutput === undefined) return made(data);
  const settled = (outcome: Awaited<ReturnType<typeof checkOutput>>): ToolResult => {
    if (outcome.issues === undefined) return made(outcome.value);
    throw new TypeError(
      `tool "${tool.name}" returned a value that its output schema rejects: ${formatProblems(outcome.issues)}`,
    );
  };
  const outcome = checkOutput(data);
  return isThenable(outcome) ? Promise.resolve(outcome).then(settled) : settled(outcome);
}

function isWhole(value: unknown): value is ToolResult {
  return isObject(value) && Array.isArray(value['content']) && value['content'].every(isContentBlock);
}
