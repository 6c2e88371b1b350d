import type { Context, JsonObject, LogItem, ProgressItem, Subscribable } from '@rxmcp/core';
import type { ResultSink } from '@rxmcp/core/internal';
import { refTimer, SelfSettling } from '@rxmcp/core/internal';

/** How long a call waits for the answer of its client, in milliseconds. */
const maxHoldMs = 600_000;
/** The number of calls of one server that wait; one more ends the oldest. */
const maxHeldCalls = 1_024;

/** The output of a request that is passed on. */
export type Output = Subscribable<JsonObject | ProgressItem | LogItem>;

/** A call that can continue for another request. */
export interface HeldCall {
  /** Starts the call for a request, or continues it. */
  attach(request: WaitingRequest): void;
  /** Ends the call whose request is cancelled, or holds it until the client repeats the request. */
  detach(request: WaitingRequest): void;
  cancel(): void;
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

/** The calls that wait until their clients repeat a request with the answer to an ask. */
export class HeldCalls {
  readonly #byId = new Map<string, { readonly call: HeldCall; readonly alarm: Alarm }>();

  add(id: string, call: HeldCall): void {
    const [oldest] = this.#byId.keys();
    if (this.#byId.size >= maxHeldCalls && oldest !== undefined) this.#drop(oldest);
    this.#byId.set(id, { call, alarm: refTimer(() => this.#drop(id), maxHoldMs) });
  }

  /** Returns a call once. */
  take(id: string): HeldCall | undefined {
    const held = this.#byId.get(id);
    this.#byId.delete(id);
    clearTimeout(held?.alarm);
    return held?.call;
  }

  #drop(id: string): void {
    this.take(id)?.cancel();
  }
}

type Alarm = ReturnType<typeof setTimeout>;
