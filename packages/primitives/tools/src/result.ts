import { isContentBlock, McpError } from '@rxmcp/core';
import { blockProblem, isObject, isThenable, problems } from '@rxmcp/core/internal';
import type { Tool, ToolParts } from './tool.js';
import type { ToolResult } from './types.js';

/** A handler's value as a result. Throws HANDLER_EMPTY for none, a TypeError for one that is no valid result. */
export function resultOf(tool: Tool, parts: ToolParts, value: unknown): ToolResult | Promise<ToolResult> {
  if (value === undefined || (value === null && !parts.structured)) {
    throw new McpError('HANDLER_EMPTY', `tool "${tool.name}" ended without a result`);
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
    `tool "${tool.name}" gave neither content nor a result; to give data, tell its \`output\` schema`,
  );
}

// A whole result, where data is expected, shows itself by what plain data has no use for.
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

/** The same result. Throws a TypeError that names a picture or sound that is none. */
function good(tool: Tool, result: ToolResult): ToolResult {
  for (let at = 0; at < result.content.length; at += 1) {
    const block = result.content[at];
    const problem = block?.type === 'text' ? undefined : blockProblem(block);
    if (problem !== undefined)
      throw new TypeError(`tool "${tool.name}" gave "content[${at}]", which ${problem}`);
  }
  return result;
}

function checked(
  tool: Tool,
  parts: ToolParts,
  data: unknown,
  made: (data: unknown) => ToolResult,
  travelled = false,
): ToolResult | Promise<ToolResult> {
  const { checkOutput } = parts;
  if (checkOutput === undefined) return made(data);
  const settled = (outcome: Awaited<ReturnType<typeof checkOutput>>): ToolResult | Promise<ToolResult> => {
    if (outcome.issues === undefined) {
      // What left the schema as it was is what was checked only if it also travels as it is.
      return !travelled && Object.is(outcome.value, data) && !isPlain(data)
        ? checked(tool, parts, JSON.parse(jsonOf(data)), made, true)
        : made(outcome.value);
    }
    throw new TypeError(
      `tool "${tool.name}" gave what its output schema refuses: ${problems(outcome.issues)}`,
    );
  };
  const outcome = checkOutput(data);
  return isThenable(outcome) ? Promise.resolve(outcome).then(settled) : settled(outcome);
}

function jsonOf(data: unknown): string {
  const json = JSON.stringify(data) as string | undefined;
  if (json === undefined) throw new TypeError('the value is not JSON');
  return json;
}

/** True for what is the same once it has travelled; members that are undefined stay at home. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null)
    return typeof value !== 'function' && typeof value !== 'symbol' && typeof value !== 'bigint';
  if ('toJSON' in value && typeof value.toJSON === 'function') return false;
  if (Array.isArray(value)) return Array.from(value).every((item) => item !== undefined && isPlain(item));
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    (prototype === Object.prototype || prototype === null) &&
    Object.values(value).every((item) => isPlain(item))
  );
}

function isWhole(value: unknown): value is ToolResult {
  return isObject(value) && Array.isArray(value['content']) && value['content'].every(isContentBlock);
}
