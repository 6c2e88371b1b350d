import { type ContentBlock, text } from '@rxmcp/core';
import { brandError, errorKind, mapped } from '@rxmcp/core/internal';
import type { Observable } from 'rxjs';
import { type ToolResult, textOf } from './types.js';

/** Options of a {@link ToolError}. */
export interface ToolErrorOptions {
  /** The content for the model. @default the message as one text block */
  readonly content?: readonly ContentBlock[];
  readonly cause?: unknown;
}

/**
 * An error whose text the model may read. Thrown by a handler, it becomes a result with `isError`; `orThrow()` does the
 * reverse.
 */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code = 'TOOL_FAILED';
  /** Always false: the tool has run, and only its author knows whether it is safe to call it again. */
  readonly outcome = 'answered';
  readonly retryable = false;
  readonly result: ToolResult;

  constructor(message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    brandError(this, 'ToolError');
    this.result = { content: options.content ?? [text(message)], isError: true };
  }

  /** Makes the error of a result with `isError`. */
  static of(result: ToolResult): ToolError {
    const message = textOf(result);
    const error = new ToolError(message === '' ? 'the tool failed without a message' : message);
    (error as { result: ToolResult }).result = result;
    return error;
  }

  /** Returns whether a value is a ToolError of any installed copy of this package. */
  static is(value: unknown): value is ToolError {
    return errorKind(value) === 'ToolError';
  }
}

/**
 * Makes an operator that turns a result with `isError` into an error: for `pipe`, after `call`. Errors with {@link ToolError},
 * which has the result. @stream call
 */
export function orThrow(): (source: Observable<ToolResult>) => Observable<ToolResult> {
  return (source) =>
    mapped(source, (result) => {
      if (result.isError === true) throw ToolError.of(result);
      return result;
    });
}
