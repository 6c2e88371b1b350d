import type { Context, JsonObject, Output } from '@rxmcp/core';
import { McpError } from '@rxmcp/core';
import { isPending, isThenable, later, problems, requireOf } from '@rxmcp/core/internal';
import { failure } from './failure.js';
import { PendingRun } from './pending-run.js';
import { resultOf } from './result.js';
import type { Tool, ToolParts } from './tool.js';
import type { ToolResult } from './types.js';

/**
 * Runs one call: checks the arguments, runs the handler, makes a result of what it gives. What a handler throws becomes a
 * result that says `isError`, but for RpcError and McpError, which are answers of their own.
 */
export function runTool(tool: Tool, parts: ToolParts, args: JsonObject, ctx: Context): Output<ToolResult> {
  if (parts.needs !== undefined) requireOf(ctx, parts.needs);
  // The usual way has no promise and no closure of its own.
  try {
    const outcome = parts.checkInput?.(args);
    if (outcome === undefined) return start(tool, parts, args, ctx);
    if (!isThenable(outcome)) return start(tool, parts, valid(tool, outcome), ctx);
    return startLater(tool, parts, outcome, ctx);
  } catch (error) {
    return failure(tool, ctx, error);
  }
}

type Outcome = Awaited<ReturnType<NonNullable<ToolParts['checkInput']>>>;

function start(tool: Tool, parts: ToolParts, args: unknown, ctx: Context): Output<ToolResult> {
  const output = parts.handler(args, ctx);
  if (isPending(output)) return new PendingRun(tool, parts, ctx, output, false);
  const result = resultOf(tool, parts, output);
  return result instanceof Promise ? new PendingRun(tool, parts, ctx, result, true) : result;
}

function startLater(
  tool: Tool,
  parts: ToolParts,
  checking: PromiseLike<Outcome>,
  ctx: Context,
): Output<ToolResult> {
  const checked = checking.then(
    (outcome) => () => valid(tool, outcome),
    (error: unknown) => () => {
      throw error;
    },
  );
  return later(checked, (args): Output<ToolResult> => {
    try {
      return start(tool, parts, args(), ctx);
    } catch (error) {
      return failure(tool, ctx, error);
    }
  });
}

function valid(tool: Tool, outcome: Outcome): unknown {
  if (outcome.issues === undefined) return outcome.value;
  throw new McpError(
    'ARGUMENTS_INVALID',
    `invalid arguments for tool "${tool.name}": ${problems(outcome.issues)}`,
  );
}
