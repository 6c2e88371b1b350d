import type { ContentBlock } from '@rxmcp/core';
import { text } from '@rxmcp/core';
import { brandError, errorKind } from '@rxmcp/core/internal';
import type { Observable } from 'rxjs';
import { map } from 'rxjs';
import type { ToolResult } from './types.js';
import { resultText } from './types.js';

/** Options of a {@link ToolError}. */
export interface ToolErrorOptions {
  /** What the model reads. @default the message as one text block */
  readonly content?: readonly ContentBlock[];
  readonly cause?: unknown;
}

/**
 * A failure that the model may read: thrown by a handler it becomes a result with `isError`; `orThrow()` makes one of
 * such a result.
 */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code = 'TOOL_FAILED';
  /** The tool has run: whether it is safe to call again, only its author knows. */
  readonly outcome = 'answered';
  readonly retryable = false;
  readonly result: ToolResult;

  constructor(message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    brandError(this, 'ToolError');
    this.result = { content: options.content ?? [text(message)], isError: true };
  }

  /** The error of a result that says `isError`. */
  static of(result: ToolResult): ToolError {
    const message = resultText(result);
    const error = new ToolError(message === '' ? 'the tool failed and did not say why' : message);
    (error as { result: ToolResult }).result = result;
    return error;
  }

  /** Recognises a ToolError of any installed copy. */
  static is(value: unknown): value is ToolError {
    return errorKind(value) === 'ToolError';
  }
}

/**
 * Makes a result that says `isError` an error: for `pipe`, after `call`. Errors with {@link ToolError}, which carries the
 * result. @stream call
 */
export function orThrow(): (source: Observable<ToolResult>) => Observable<ToolResult> {
  return map((result) => {
    if (result.isError === true) throw ToolError.of(result);
    return result;
  });
}
