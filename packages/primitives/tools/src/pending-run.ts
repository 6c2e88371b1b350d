import type { Context, LogItem, Output, ProgressItem, Subscribable } from '@rxmcp/core';
import type { Settlement, Settling } from '@rxmcp/core/internal';
import { passOn, settle, settling } from '@rxmcp/core/internal';
import { failure } from './failure.js';
import { resultOf } from './result.js';
import type { Tool, ToolParts } from './tool.js';
import type { ToolResult } from './types.js';

type Told = Subscribable<ToolResult | ProgressItem | LogItem>;

/** A handler at work, as output of its call. Torn down, it says nothing more, whatever the handler still does. */
export class PendingRun implements Settlement<unknown>, Settling<ToolResult>, Told {
  private readonly tool: Tool;
  private readonly parts: ToolParts;
  private readonly ctx: Context;
  private readonly output: Output<unknown>;
  /** The output is a result already, only its check is under way. */
  private readonly whole: boolean;
  private open = true;
  private to: Settlement<ToolResult> | undefined = undefined;
  private stop: (() => void) | undefined = undefined;

  constructor(tool: Tool, parts: ToolParts, ctx: Context, output: Output<unknown>, whole: boolean) {
    this.tool = tool;
    this.parts = parts;
    this.ctx = ctx;
    this.output = output;
    this.whole = whole;
  }

  subscribe(to: Parameters<Told['subscribe']>[0]): { unsubscribe(): void } {
    return { unsubscribe: this[settling](passOn(to)) };
  }

  [settling](to: Settlement<ToolResult>): () => void {
    this.to = to;
    const { output } = this;
    try {
      // What most handlers give; a way of its own is less code to run, and to compile while a server is cold.
      if (output instanceof Promise)
        output.then(
          (value: unknown) => {
            if (this.open) this.done(value);
          },
          (error: unknown) => this.failed(error),
        );
      else this.stop = settle(output, this);
    } catch (error) {
      this.failed(error);
    }
    return () => {
      this.open = false;
      this.stop?.();
    };
  }

  done(value: unknown): void {
    let result: ToolResult | Promise<ToolResult>;
    try {
      result = this.whole ? (value as ToolResult) : resultOf(this.tool, this.parts, value);
    } catch (error) {
      this.failed(error);
      return;
    }
    if (result instanceof Promise) {
      result.then(
        (checked) => this.end(checked),
        (error: unknown) => this.failed(error),
      );
    } else this.end(result);
  }

  failed(error: unknown): void {
    if (!this.open) return;
    let result: ToolResult;
    try {
      result = failure(this.tool, this.ctx, error);
    } catch (answer) {
      this.open = false;
      this.to?.failed(answer);
      return;
    }
    this.end(result);
  }

  empty(): void {
    if (!this.open) return;
    this.open = false;
    this.to?.empty();
  }

  report(item: ProgressItem | LogItem): void {
    if (this.open) this.to?.report(item);
  }

  tornBadly(cause: unknown): void {
    this.to?.tornBadly?.(cause);
  }

  private end(result: ToolResult): void {
    if (!this.open) return;
    this.open = false;
    this.to?.done(result);
  }
}
