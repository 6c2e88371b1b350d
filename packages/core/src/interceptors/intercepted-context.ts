import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../base/checks.js';
import { RxmcpError } from '../base/errors.js';
import { quoted } from '../base/message-text.js';
import { onAbort, omitUndefined } from '@rxmcp/transport/internal';
import type { Ask, AskingContext } from '../contract/ask.js';
import type { Caller, Context } from '../contract/context.js';
import type { FaultReportingContext } from '../contract/faults.js';
import type { ResponseEvent } from '../contract/interceptor.js';
import type { LogLevel } from '../contract/report-items.js';

/** What a context behind interceptors needs of the original one. */
export interface InnerContext extends AskingContext, FaultReportingContext {
  readonly isOpen: boolean;
  /** True if the run was suspended because its caller must answer an ask first. */
  readonly isSuspended: boolean;
  readonly logLevel?: LogLevel | undefined;
  teardownFailed(cause: unknown): void;
}

/**
 * The context of a handler behind interceptors. Interceptors see what the handler reports; the handler sees the
 * parameters that they passed on.
 */
export class InterceptedContext implements AskingContext, FaultReportingContext {
  #controller: AbortController | undefined = undefined;
  #unsubscribed: Error | undefined = undefined;

  constructor(
    readonly inner: InnerContext,
    private readonly params: JsonObject,
    private readonly emit: (event: ResponseEvent) => void,
  ) {}

  get method(): string {
    return this.inner.method;
  }

  get version(): string {
    return this.inner.version;
  }

  get caller(): Caller {
    return this.inner.caller;
  }

  get logLevel(): LogLevel | undefined {
    return this.inner.logLevel;
  }

  get round(): number {
    return this.inner.round;
  }

  get meta(): JsonObject {
    const { _meta: meta } = this.params;
    return isObject(meta) ? meta : this.inner.meta;
  }

  get signal(): AbortSignal {
    // A separate signal, because an interceptor may unsubscribe from the handler while the request continues.
    // Created on demand.
    if (this.#controller === undefined) {
      const own = (this.#controller = new AbortController());
      const { signal } = this.inner;
      if (this.#unsubscribed !== undefined) own.abort(this.#unsubscribed);
      else if (signal.aborted) own.abort(signal.reason);
      else onAbort(signal, () => own.abort(signal.reason));
    }
    return this.#controller.signal;
  }

  /** Called when an interceptor unsubscribes from the handler. */
  unsubscribed(): void {
    // The request itself has ended: its own signal has the reason.
    if (!this.inner.isOpen) return;
    this.#unsubscribed = new RxmcpError(
      'CANCELLED',
      `an interceptor unsubscribed from ${quoted(this.method)}`,
    );
    this.#controller?.abort(this.#unsubscribed);
  }

  get isSuspended(): boolean {
    return this.inner.isSuspended;
  }

  get host(): InnerContext['host'] {
    return this.inner.host;
  }

  progress(done: number, total?: number, message?: string): void {
    this.emit(progressEvent(done, total, message));
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    this.emit(logEvent(level, data, logger));
  }

  notify(method: string, params?: JsonObject): void {
    this.inner.notify(method, params);
  }

  request(method: string, params?: JsonObject): Promise<JsonObject> {
    return this.inner.request(method, params);
  }

  step<T>(key: string, fn: () => T | PromiseLike<T>): Promise<T> {
    return this.inner.step(key, fn);
  }

  ask(key: string, ask: Ask): Promise<JsonObject> {
    return this.inner.ask(key, ask);
  }

  require(needs: JsonObject): void {
    this.inner.require(needs);
  }
}

/** Returns the context of a request without its interceptors. */
export function innermost(ctx: Context): Context {
  return ctx instanceof InterceptedContext ? innermost(ctx.inner) : ctx;
}

/** Returns progress as interceptors see it. */
export function progressEvent(progress: number, total?: number, message?: string): ResponseEvent {
  return { type: 'progress', progress, ...omitUndefined({ total, message }) };
}

/** Returns a log record as interceptors see it. */
export function logEvent(level: LogLevel, data: unknown, logger?: string): ResponseEvent {
  return { type: 'log', level, data, ...omitUndefined({ logger }) };
}
