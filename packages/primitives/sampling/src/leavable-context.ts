import type { Caller, Context, ExchangeEvent, JsonObject, LogLevel } from '@rxmcp/core';

/** A context with a signal of its own, whose reports go past whoever stands around. */
export class LeavableContext implements Context {
  constructor(
    private readonly outer: Context,
    readonly signal: AbortSignal,
    private readonly reports: { next(event: ExchangeEvent): void },
  ) {}

  get method(): string {
    return this.outer.method;
  }

  get version(): string {
    return this.outer.version;
  }

  get caller(): Caller {
    return this.outer.caller;
  }

  get meta(): JsonObject {
    return this.outer.meta;
  }

  /** Who collects the faults. */
  get host(): unknown {
    return (this.outer as { readonly host?: unknown }).host;
  }

  progress(done: number, total?: number, message?: string): void {
    this.reports.next({
      type: 'progress',
      progress: done,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    });
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    this.reports.next({ type: 'log', level, data, ...(logger === undefined ? {} : { logger }) });
  }

  notify(method: string, params?: JsonObject): void {
    this.outer.notify(method, params);
  }

  request(method: string, params?: JsonObject): Promise<JsonObject> {
    return this.outer.request(method, params);
  }

  once<T>(key: string, fn: () => T | PromiseLike<T>): Promise<T> {
    return this.outer.once(key, fn);
  }
}
