import type { Context } from '@rxmcp/core';
import { McpError, RpcError } from '@rxmcp/core';
import { faultOf, reference } from '@rxmcp/core/internal';
import type { Tool } from './tool.js';
import { ToolError } from './tool-error.js';
import type { ToolResult } from './types.js';

/**
 * What the caller hears of a thrown error: the author's words of a ToolError; of anything foreign a general text with the
 * number that the fault carries, since a message may tell what is nobody's business. Throws RpcError and McpError on.
 */
export function failure(tool: Tool, ctx: Context, error: unknown): ToolResult {
  if (ToolError.is(error)) return error.result;
  if (RpcError.is(error) || McpError.is(error)) throw error;
  const number = reference();
  const message = `tool "${tool.name}" failed: ${textOf(error)}`;
  faultOf(ctx, { code: 'HANDLER_FAILED', message, cause: error, reference: number });
  return {
    content: [{ type: 'text', text: `Tool "${tool.name}" failed (reference ${number}).` }],
    isError: true,
  };
}

// Anything can be thrown, also what cannot be turned into text.
function textOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return `something of type ${typeof error}`;
  }
}
