import type {
  CallEvent,
  CallWithEvents,
  CallOptions,
  Context,
  JsonObject,
  LogItem,
  ProgressItem,
  Remote,
} from '@rxmcp/core';
import { logItem, progressItem, RpcError, RxmcpError } from '@rxmcp/core';
import type { Ask, CallSink, CallTurn, ChargedRequest, Running } from '@rxmcp/core/internal';
import {
  chargeRequest,
  estimateBytes,
  ignoreRejection,
  memoryOf,
  releaseRequest,
  sendAsk,
  setOwner,
  startEvents,
  takeCharge,
} from '@rxmcp/core/internal';
import { chargedCaller, chargedRequest } from './charged-caller.js';
import { clientOf } from './client-of.js';
import { relayedCapabilities } from './relayed-capabilities.js';
import { failureOf, noMemoryForResult, tooManyAsks, unavailable } from './errors.js';
import type { HeldCall, WaitingRequest } from './held-calls.js';
import type { InnerServer } from './inner-server.js';
import { callOptions } from './inner-server.js';

/** Makes the call of the other server. */
export type MakeCall = (remote: Remote, options: CallOptions) => CallWithEvents<JsonObject>;

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
export class ForwardedCall implements HeldCall, CallSink<CallEvent<JsonObject>> {
  /** Identifies the client of the request; undefined if it cannot be distinguished from others. */
  client: object | undefined = undefined;
  /** The name under which its result is charged until it is passed on: that of the caller. */
  holder = '';
  #capabilities: JsonObject = {};
  /** The other server has answered, or the call was cancelled. */
  isOver = false;
  #uuid: string | undefined = undefined;
  /** The request that waits for the call; it changes when the client repeats it with an answer. */
  #request: WaitingRequest | undefined = undefined;
  /** Its place among the calls of the other server. */
  #turn: CallTurn | undefined = undefined;
  #running: Running | undefined = undefined;
  /** Set while no request waits for it. */
  #end: CallEnd | undefined = undefined;
  /** The asks without an answer. */
  #asks: Set<OpenAsk> | undefined = undefined;
  #asked = 0;
  /** What was charged for its first request, whose parameters it keeps, and for a result that waits. */
  #charged: ChargedRequest | undefined = undefined;

  constructor(
    readonly server: InnerServer,
    private readonly call: MakeCall,
  ) {}

  // Most calls ask nothing, and need no id.
  get id(): string {
    return (this.#uuid ??= crypto.randomUUID());
  }

  /** The number of asks without an answer. */
  get openAsks(): number {
    return this.#asks?.size ?? 0;
  }

  attach(request: WaitingRequest): void {
    this.#request = request;
    this.client = clientOf(request.ctx);
    this.#capabilities = request.ctx.caller.capabilities;
    if (this.#end !== undefined) this.#finish(this.#end);
    else if (this.#turn === undefined) this.#begin(request.ctx);
    else for (const open of [...(this.#asks ?? [])]) this.#send(open, request.ctx);
  }

  /** The other server must not ask for what the client of the request cannot do. */
  declared(own: JsonObject): JsonObject {
    return relayedCapabilities(own, this.#capabilities);
  }

  detach(request: WaitingRequest): void {
    if (this.#request !== request) return;
    this.#request = undefined;
    // The next request says it again.
    this.#capabilities = {};
    if (!isSuspended(request.ctx)) this.cancel();
    else {
      this.#charged ??= takeCharge(chargedRequest(request.ctx));
      this.server.held.hold(this);
    }
  }

  /** Cancels the call at the other server. */
  cancel(): void {
    this.#running?.cancel();
    this.isOver = true;
    this.#turn?.end();
    this.#dropAsks();
    this.#release();
  }

  displace(): void {
    this.cancel();
    this.#request?.to?.failed(tooManyAsks(this.server.name));
  }

  /** Relays an ask of the other server to the client of the request. */
  ask(ask: Ask): Promise<JsonObject> {
    this.#asked += 1;
    const key = `${ask.method} ${this.#asked} of ${this.server.name}`;
    return new Promise((answered, failed) => {
      const open: OpenAsk = { key, ask, answered, failed };
      (this.#asks ??= new Set()).add(open);
      this.server.held.add(this);
      if (this.#request !== undefined) this.#send(open, this.#request.ctx);
    });
  }

  #send(open: OpenAsk, ctx: Context): void {
    // Kept in the state of the request, which only the same caller can send back.
    ignoreRejection(ctx.step(idKey, () => this.id));
    sendAsk(ctx, open.key, open.ask).then(
      (answer) => {
        if (this.#closeAsk(open)) open.answered(answer);
      },
      (error: unknown) => {
        if (RxmcpError.is(error, 'ASK_SUSPENDED') || !this.#closeAsk(open)) return;
        // The client's own error, so that its code is kept.
        open.failed(RxmcpError.is(error) && RpcError.is(error.cause) ? error.cause : error);
      },
    );
  }

  /** Returns whether an ask was open until now. */
  #closeAsk(open: OpenAsk): boolean {
    const wasOpen = this.#asks?.delete(open) === true;
    if (wasOpen && this.openAsks === 0 && this.#request !== undefined) this.server.held.remove(this);
    return wasOpen;
  }

  next(event: CallEvent<JsonObject>): void {
    if (event.type === 'result') this.#finish(event);
    else this.#request?.to?.report(reportOf(event));
  }

  error(error: unknown): void {
    this.#finish({ type: 'error', error: failureOf(this.server.name, error) });
  }

  complete(): void {
    // The result came before.
  }

  #begin(ctx: Context): void {
    const caller = chargedCaller(ctx);
    this.holder = caller.holder;
    this.#turn = this.server.turns.take(caller, () => this.#start(ctx));
    if (this.isOver) this.#turn.end();
  }

  #start(ctx: Context): void {
    const { name, remote, cause } = this.server;
    if (remote === undefined) return this.#finish({ type: 'error', error: unavailable(name, cause) });
    const options = callOptions(ctx);
    setOwner(options, this);
    this.#running = startEvents(this.call(remote, options), this);
  }

  #finish(end: CallEnd): void {
    this.isOver = true;
    if (end.type === 'result') this.#turn?.end(end.result);
    else this.#turn?.failed(end.error);
    const to = this.#request?.to;
    if (to === undefined) this.#end = this.#kept(end);
    else if (end.type === 'result') to.done(end.result);
    else to.failed(end.error);
    this.#dropAsks();
    if (to !== undefined) this.#release();
  }

  /** Charges the caller for a result that waits for the next request. */
  #kept(end: CallEnd): CallEnd {
    if (end.type === 'error' || this.#charged === undefined) return end;
    const isCharged = chargeRequest(this.#charged, memoryOf(estimateBytes(end.result, Infinity)));
    return isCharged ? end : { type: 'error', error: noMemoryForResult(this.server.name, 'answered') };
  }

  /** It waits for nothing any more. */
  #release(): void {
    this.server.held.remove(this);
    if (this.#charged !== undefined) releaseRequest(this.#charged);
  }

  #dropAsks(): void {
    if (this.#asks === undefined) return;
    for (const { failed } of this.#asks)
      failed(new RxmcpError('CANCELLED', 'the request that would answer has ended', { outcome: 'unknown' }));
    this.#asks.clear();
  }
}

/** How a call ended. */
type CallEnd =
  | Extract<CallEvent<JsonObject>, { readonly type: 'result' }>
  | { readonly type: 'error'; readonly error: unknown };

function reportOf(event: Exclude<CallEvent<never>, { readonly type: 'result' }>): ProgressItem | LogItem {
  return event.type === 'progress'
    ? progressItem(event.progress, event.total, event.message)
    : logItem(event.level, event.data, event.logger);
}

function isSuspended(ctx: Context): boolean {
  return (ctx as Context & { readonly isSuspended?: boolean }).isSuspended === true;
}
