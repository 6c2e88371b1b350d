import type { Context, JsonObject, LogItem, HandlerResult, ProgressItem } from '@rxmcp/core';
import { RxmcpError, RpcError } from '@rxmcp/core';
import type { FaultReportingContext, ResultSink } from '@rxmcp/core/internal';
import {
  reportFailedHandler,
  isPending,
  isThenable,
  deferResult,
  formatProblems,
  requireCapabilities,
  SelfSettling,
  settleResult,
} from '@rxmcp/core/internal';
import { toToolResult } from './result.js';
import { ToolError } from './tool-error.js';
import type { Tool, ToolParts } from './tool.js';
import type { ToolResult } from './types.js';

/**
 * Runs one call: checks the arguments, runs the handler and makes a result of its value. An error of the handler becomes a
 * result with `isError`, except RpcError and RxmcpError, which are sent as errors.
 */
export function runTool(
  tool: Tool,
  parts: ToolParts,
  args: JsonObject,
  ctx: Context,
): HandlerResult<ToolResult> {
  if (parts.needs !== undefined) requireCapabilities(ctx, parts.needs);
  // The common case needs no promise and no closure.
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

function start(tool: Tool, parts: ToolParts, args: unknown, ctx: Context): HandlerResult<ToolResult> {
  const output = parts.handler(args, ctx);
  if (isPending(output)) return new PendingRun(tool, parts, ctx, output, false);
  const result = toToolResult(tool, parts, output);
  return result instanceof Promise ? new PendingRun(tool, parts, ctx, result, true) : result;
}

function startLater(
  tool: Tool,
  parts: ToolParts,
  checking: PromiseLike<Outcome>,
  ctx: Context,
): HandlerResult<ToolResult> {
  const checked = checking.then(
    (outcome) => () => valid(tool, outcome),
    (error: unknown) => () => {
      throw error;
    },
  );
  return deferResult(checked, (args): HandlerResult<ToolResult> => {
    try {
      return start(tool, parts, args(), ctx);
    } catch (error) {
      return failure(tool, ctx, error);
    }
  });
}

function valid(tool: Tool, outcome: Outcome): unknown {
  if (outcome.issues === undefined) return outcome.value;
  throw new RxmcpError(
    'INVALID_ARGUMENTS',
    `invalid arguments for tool "${tool.name}": ${formatProblems(outcome.issues)}`,
  );
}

/** A running handler, as the output of its call. After teardown it emits nothing more, even if the handler continues. */
class PendingRun extends SelfSettling<ToolResult> implements ResultSink<unknown> {
  readonly #tool: Tool;
  readonly #parts: ToolParts;
  readonly #ctx: Context;
  readonly #output: HandlerResult<unknown>;
  /** The output is a result already, only its check is under way. */
  readonly #whole: boolean;
  #open = true;
  #to: ResultSink<ToolResult> | undefined = undefined;
  #stop: (() => void) | undefined = undefined;

  constructor(tool: Tool, parts: ToolParts, ctx: Context, output: HandlerResult<unknown>, whole: boolean) {
    super();
    this.#tool = tool;
    this.#parts = parts;
    this.#ctx = ctx;
    this.#output = output;
    this.#whole = whole;
  }

  settle(to: ResultSink<ToolResult>): () => void {
    this.#to = to;
    const output = this.#output;
    try {
      // The common case has its own path: it runs less code, also while a server is cold.
      if (output instanceof Promise)
        output.then(
          (value: unknown) => {
            if (this.#open) this.done(value);
          },
          (error: unknown) => this.failed(error),
        );
      else this.#stop = settleResult(output, this);
    } catch (error) {
      this.failed(error);
    }
    return () => {
      this.#open = false;
      if (output instanceof Promise) to.continues?.(output);
      this.#stop?.();
    };
  }

  continues(until: PromiseLike<unknown>): void {
    this.#to?.continues?.(until);
  }

  done(value: unknown): void {
    let result: ToolResult | Promise<ToolResult>;
    try {
      result = this.#whole ? (value as ToolResult) : toToolResult(this.#tool, this.#parts, value);
    } catch (error) {
      this.failed(error);
      return;
    }
    if (result instanceof Promise) {
      result.then(
        (checked) => this.#end(checked),
        (error: unknown) => this.failed(error),
      );
    } else this.#end(result);
  }

  failed(error: unknown): void {
    if (!this.#open) return;
    let result: ToolResult;
    try {
      result = failure(this.#tool, this.#ctx, error);
    } catch (reported) {
      this.#open = false;
      this.#to?.failed(reported);
      return;
    }
    this.#end(result);
  }

  empty(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#to?.empty();
  }

  report(item: ProgressItem | LogItem): void {
    if (this.#open) this.#to?.report(item);
  }

  teardownFailed(cause: unknown): void {
    this.#to?.teardownFailed?.(cause);
  }

  #end(result: ToolResult): void {
    if (!this.#open) return;
    this.#open = false;
    this.#to?.done(result);
  }
}

/**
 * What the caller receives for a thrown error: the content of a ToolError; for any other error its text if the server exposes
 * errors, otherwise a general text with the reference of the fault. Rethrows RpcError and RxmcpError.
 */
function failure(tool: Tool, ctx: Context, error: unknown): ToolResult {
  if (ToolError.is(error)) return error.result;
  if (RpcError.is(error) || RxmcpError.is(error)) throw error;
  const { exposed, reference } = reportFailedHandler(
    ctx as Partial<FaultReportingContext>,
    `tool "${tool.name}"`,
    error,
  );
  const text = exposed ?? `Tool "${tool.name}" failed (reference ${reference}).`;
  return { content: [{ type: 'text', text }], isError: true };
}
