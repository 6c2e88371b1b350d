import { type Caller, type Context, type JsonObject, type LogLevel, RxmcpError } from '@rxmcp/core';
import { type Ask, type FaultReportingContext, sendAsk, requireCapabilities } from '@rxmcp/core/internal';

/** The reason for a run of a source: a request, or a caller that follows the resource. */
type RunFor = { readonly ctx: Context } | { readonly caller: Caller };

const nobody: Caller = Object.freeze({ capabilities: Object.freeze({}) });

/**
 * The context of a source function. Its value may outlive the request that started it and serve other callers, so
 * its signal aborts with the run, and an ask makes the run private to its caller.
 */
export class RunContext implements FaultReportingContext {
  /** Called before an ask is sent. */
  onAsk: (() => void) | undefined = undefined;
  #controller: AbortController | undefined = undefined;
  #over = false;
  #kept = false;

  /** With `everybody` the source sees no caller, since its value is shared by all. */
  constructor(
    private readonly made: RunFor,
    private readonly everybody: boolean,
  ) {}

  get method(): string {
    return 'resources/read';
  }

  get version(): string {
    return this.#asked?.version ?? '';
  }

  get caller(): Caller {
    if (this.everybody) return nobody;
    return 'ctx' in this.made ? this.made.ctx.caller : this.made.caller;
  }

  get meta(): JsonObject {
    return this.everybody ? {} : (this.#asked?.meta ?? {});
  }

  get round(): number {
    return this.#asked?.round ?? 1;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      this.#controller = controller;
      const outer = this.#asked?.signal;
      const follow = (): void => {
        if (!this.#kept) controller.abort(outer?.reason);
      };
      if (this.#over || outer?.aborted === true) controller.abort(outer?.reason);
      else outer?.addEventListener('abort', follow, { once: true });
    }
    return this.#controller.signal;
  }

  /** The host that reports faults of the request that the run was made for. */
  get host(): FaultReportingContext['host'] {
    return (this.#asked as Partial<FaultReportingContext> | undefined)?.host;
  }

  /** From now on the run lives as long as its cell, not as long as its request. */
  keep(): void {
    this.#kept = true;
  }

  /** The run is over. */
  end(): void {
    this.#over = true;
    this.#controller?.abort(new RxmcpError('CANCELLED', 'the resource has no reader and no subscriber left'));
  }

  progress(done: number, total?: number, message?: string): void {
    this.#asked?.progress(done, total, message);
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    this.#asked?.log(level, data, logger);
  }

  notify(method: string, params?: JsonObject): void {
    if (!this.everybody) this.#asked?.notify(method, params);
  }

  request(method: string, params?: JsonObject): Promise<JsonObject> {
    const asked = this.#asked;
    if (asked === undefined || this.everybody) return Promise.reject(unavailable(method, this.everybody));
    this.onAsk?.();
    return asked.request(method, params);
  }

  async step<T>(key: string, fn: () => T | PromiseLike<T>): Promise<T> {
    return this.everybody || this.#asked === undefined ? fn() : this.#asked.step(key, fn);
  }

  ask(key: string, ask: Ask): Promise<JsonObject> {
    const asked = this.#asked;
    if (asked === undefined || this.everybody) return Promise.reject(unavailable(ask.method, this.everybody));
    this.onAsk?.();
    return sendAsk(asked, key, ask);
  }

  require(needs: JsonObject): void {
    const asked = this.#asked;
    if (asked === undefined || this.everybody) {
      throw unavailable(Object.keys(needs).join(', '), this.everybody);
    }
    requireCapabilities(asked, needs);
  }

  get #asked(): Context | undefined {
    return 'ctx' in this.made ? this.made.ctx : undefined;
  }
}

function unavailable(what: string, everybody: boolean): RxmcpError {
  const why = everybody ? 'the value of a shared resource' : 'following a resource';
  return new RxmcpError('ASK_UNAVAILABLE', `"${what}" cannot be asked for ${why}`);
}
