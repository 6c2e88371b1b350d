import type { Context, LogItem, Output, ProgressItem, Subscribable } from '@rxmcp/core';
import type { Settlement } from '@rxmcp/core/internal';
import { settle } from '@rxmcp/core/internal';
import { failure } from './failure.js';
import { resultOf } from './result.js';
import type { Tool, ToolParts } from './tool.js';
import type { ToolResult } from './types.js';

type Observer = Parameters<Subscribable<ToolResult | ProgressItem | LogItem>['subscribe']>[0];

/** A handler at work, as output of its call. Torn down, it says nothing more, whatever the handler still does. */
export class PendingRun implements Settlement<unknown>, Subscribable<ToolResult | ProgressItem | LogItem> {
  private readonly tool: Tool;
  private readonly parts: ToolParts;
  private readonly ctx: Context;
  private readonly output: Output<unknown>;
  /** The output is a result already, only its check is under way. */
  private readonly whole: boolean;
  private to: Observer | undefined = undefined;
  private stop: (() => void) | undefined = undefined;

  constructor(tool: Tool, parts: ToolParts, ctx: Context, output: Output<unknown>, whole: boolean) {
    this.tool = tool;
    this.parts = parts;
    this.ctx = ctx;
    this.output = output;
    this.whole = whole;
  }

  subscribe(to: Observer): { unsubscribe(): void } {
    this.to = to;
    try {
      this.stop = settle(this.output, this);
    } catch (error) {
      this.failed(error);
    }
    return this;
  }

  unsubscribe(): void {
    this.to = undefined;
    this.stop?.();
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
        (checked) => this.to?.next(checked),
        (error: unknown) => this.failed(error),
      );
    } else this.to?.next(result);
  }

  failed(error: unknown): void {
    const { to } = this;
    if (to === undefined) return;
    let result: ToolResult;
    try {
      result = failure(this.tool, this.ctx, error);
    } catch (answer) {
      to.error(answer);
      return;
    }
    to.next(result);
  }

  empty(): void {
    this.to?.complete();
  }

  report(item: ProgressItem | LogItem): void {
    this.to?.next(item);
  }
}
