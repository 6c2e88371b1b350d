import type { CallEvent, CallOptions, Context, JsonObject, LogItem, ProgressItem, Remote } from '@rxmcp/core';
import { log, progress, RpcError, RxmcpError } from '@rxmcp/core';
import type { Ask } from '@rxmcp/core/internal';
import { ignoreRejection, sendAsk, withOwner } from '@rxmcp/core/internal';
import type { Observable, Subscription } from 'rxjs';
import { clientOf } from './client-of.js';
import { failureOf, unavailable } from './errors.js';
import type { HeldCall, Observer } from './held-calls.js';
import type { InnerServer } from './inner-server.js';
import { callOptions } from './inner-server.js';

/** The request that waits for the call; it changes when the client repeats it with an answer. */
interface Attached {
  readonly ctx: Context;
  readonly to: Observer;
}

interface OpenAsk {
  readonly key: string;
  readonly ask: Ask;
  answered(answer: JsonObject): void;
  failed(error: unknown): void;
}

/** The key under which a request keeps the id of its call until the client repeats it. */
export const idKey = 'rxmcp gateway call';

/**
 * One call of another server, made for a request. An ask of that server goes to the client that made the request. Since 2026-07-28
 * this ends the run of the request, and the client repeats it with the answer; the call waits meanwhile.
 */
export class ForwardedCall implements HeldCall {
  /** Identifies the client of the request; undefined if it cannot be distinguished from others. */
  client: object | undefined = undefined;
  /** The other server has answered, or the call was cancelled. */
  isOver = false;
  private uuid: string | undefined = undefined;
  private attached: Attached | undefined = undefined;
  private running: Subscription | undefined = undefined;
  private end: ((to: Observer) => void) | undefined = undefined;
  private readonly asks = new Set<OpenAsk>();
  private asked = 0;

  constructor(
    readonly server: InnerServer,
    private readonly call: (remote: Remote, options: CallOptions) => Observable<CallEvent<JsonObject>>,
  ) {}

  // Most calls ask nothing, and need no id.
  private get id(): string {
    return (this.uuid ??= crypto.randomUUID());
  }

  /** The number of asks without an answer. */
  get openAsks(): number {
    return this.asks.size;
  }

  /** Starts the call for a request, or continues it. The returned function ends or holds it. */
  attach(ctx: Context, to: Observer): () => void {
    const attached = { ctx, to };
    this.attached = attached;
    this.client = clientOf(ctx);
    if (this.end !== undefined) this.end(to);
    else if (this.running === undefined) this.begin(ctx);
    else for (const open of [...this.asks]) this.send(open, ctx);
    return () => {
      if (this.attached !== attached) return;
      this.attached = undefined;
      if (isSuspended(ctx)) this.server.held.add(this.id, this);
      else this.cancel();
    };
  }

  /** Cancels the call at the other server. */
  cancel(): void {
    this.running?.unsubscribe();
    this.isOver = true;
    this.dropAsks();
  }

  /** Relays an ask of the other server to the client of the request. */
  ask(ask: Ask): Promise<JsonObject> {
    this.asked += 1;
    const key = `${ask.method} ${this.asked} of ${this.server.name}`;
    return new Promise((answered, failed) => {
      const open: OpenAsk = { key, ask, answered, failed };
      this.asks.add(open);
      if (this.attached !== undefined) this.send(open, this.attached.ctx);
    });
  }

  private send(open: OpenAsk, ctx: Context): void {
    // Kept in the state of the request, which only the same caller can send back.
    ignoreRejection(ctx.step(idKey, () => this.id));
    sendAsk(ctx, open.key, open.ask).then(
      (answer) => {
        if (this.asks.delete(open)) open.answered(answer);
      },
      (error: unknown) => {
        if (RxmcpError.is(error, 'ASK_SUSPENDED') || !this.asks.delete(open)) return;
        // The client's own error, so that its code is kept.
        open.failed(RxmcpError.is(error) && RpcError.is(error.cause) ? error.cause : error);
      },
    );
  }

  private begin(ctx: Context): void {
    const { name, remote, cause } = this.server;
    if (remote === undefined) return this.over((to) => to.error(unavailable(name, cause)));
    this.running = this.call(remote, withOwner(callOptions(ctx), this)).subscribe({
      next: (event) => {
        if (event.type === 'result') this.over((to) => to.next(event.result));
        else this.attached?.to.next(reportOf(event));
      },
      error: (error: unknown) => this.over((to) => to.error(failureOf(name, error))),
    });
  }

  private over(end: (to: Observer) => void): void {
    this.end = end;
    this.isOver = true;
    if (this.attached !== undefined) end(this.attached.to);
    this.dropAsks();
  }

  private dropAsks(): void {
    if (this.asks.size === 0) return;
    for (const { failed } of this.asks)
      failed(new RxmcpError('CANCELLED', 'the request that would answer has ended', { outcome: 'unknown' }));
    this.asks.clear();
  }
}

function reportOf(event: Exclude<CallEvent<never>, { readonly type: 'result' }>): ProgressItem | LogItem {
  return event.type === 'progress'
    ? progress(event.progress, event.total, event.message)
    : log(event.level, event.data, event.logger);
}

function isSuspended(ctx: Context): boolean {
  return (ctx as Context & { readonly isSuspended?: boolean }).isSuspended === true;
}
