import type { Context, JsonObject, LogItem, ProgressItem, Subscribable } from '@rxmcp/core';
import type { ResultSink } from '@rxmcp/core/internal';
import { refTimer, SelfSettling, shareOf } from '@rxmcp/core/internal';

/** How long a call waits for the answer of its client, in milliseconds. */
const maxHoldMs = 600_000;
/** The number of calls of one server that wait for answers: half of its calls under way, so that others can start meanwhile. */
const maxHeldCalls = 128;
const maxHeldCallsOfCaller = shareOf(maxHeldCalls);

/** The output of a request that is passed on. */
export type Output = Subscribable<JsonObject | ProgressItem | LogItem>;

/** A call that can continue for another request. */
export interface HeldCall {
  readonly id: string;
  /** The name of its caller. */
  readonly holder: string;
  /** Starts the call for a request, or continues it. */
  attach(request: WaitingRequest): void;
  /** Ends the call whose request is cancelled, or holds it until the client repeats the request. */
  detach(request: WaitingRequest): void;
  cancel(): void;
  /** Ends it, so that another call can wait. */
  displace(): void;
}

/** A request that waits for the result of a call of another server, as the output of its handler. */
export class WaitingRequest extends SelfSettling<JsonObject> {
  to: ResultSink<JsonObject> | undefined = undefined;

  constructor(
    readonly call: HeldCall,
    readonly ctx: Context,
  ) {
    super();
  }

  settle(to: ResultSink<JsonObject>): () => void {
    this.to = to;
    this.call.attach(this);
    return () => this.call.detach(this);
  }
}

/** The calls that wait for answers to asks, some of them until their clients repeat a request. */
export class HeldCalls {
  /** Those without a request. */
  readonly #byId = new Map<string, { readonly call: HeldCall; readonly alarm: Alarm }>();
  readonly #byHolder = new Map<string, Set<HeldCall>>();
  #size = 0;

  /** Adds a call that waits. It may end another one: the oldest of its caller, or of the caller that has most. */
  add(call: HeldCall): void {
    const { holder } = call;
    if (this.#byHolder.get(holder)?.has(call) === true) return;
    this.#displaced(holder)?.displace();
    const own = this.#byHolder.get(holder);
    if (own === undefined) this.#byHolder.set(holder, new Set([call]));
    else own.add(call);
    this.#size += 1;
  }

  /** Keeps a call without a request, until it is taken. */
  hold(call: HeldCall): void {
    const { id } = call;
    this.#byId.set(id, { call, alarm: refTimer(() => this.take(id)?.cancel(), maxHoldMs) });
  }

  /** Returns a call without a request, once. */
  take(id: string): HeldCall | undefined {
    const held = this.#byId.get(id);
    this.#byId.delete(id);
    clearTimeout(held?.alarm);
    return held?.call;
  }

  /** Removes a call that does not wait any more. */
  remove(call: HeldCall): void {
    this.take(call.id);
    const own = this.#byHolder.get(call.holder);
    if (own?.delete(call) !== true) return;
    this.#size -= 1;
    if (own.size === 0) this.#byHolder.delete(call.holder);
  }

  #displaced(holder: string): HeldCall | undefined {
    let most = this.#byHolder.get(holder);
    if ((most?.size ?? 0) < maxHeldCallsOfCaller) {
      if (this.#size < maxHeldCalls) return undefined;
      for (const calls of this.#byHolder.values())
        if (most === undefined || calls.size > most.size) most = calls;
    }
    const [oldest] = most ?? [];
    return oldest;
  }
}

type Alarm = ReturnType<typeof setTimeout>;
