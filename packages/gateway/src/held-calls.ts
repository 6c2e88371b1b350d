import type { JsonObject, LogItem, ProgressItem, Subscribable } from '@rxmcp/core';
import { refTimer } from '@rxmcp/core/internal';
import type { WaitingRequest } from './waiting-request.js';

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

/** The calls that wait until their clients repeat a request with the answer to an ask. */
export class HeldCalls {
  private readonly byId = new Map<string, { readonly call: HeldCall; readonly alarm: Alarm }>();

  add(id: string, call: HeldCall): void {
    const [oldest] = this.byId.keys();
    if (this.byId.size >= maxHeldCalls && oldest !== undefined) this.drop(oldest);
    this.byId.set(id, { call, alarm: refTimer(() => this.drop(id), maxHoldMs) });
  }

  /** Returns a call once. */
  take(id: string): HeldCall | undefined {
    const held = this.byId.get(id);
    this.byId.delete(id);
    clearTimeout(held?.alarm);
    return held?.call;
  }

  private drop(id: string): void {
    this.take(id)?.cancel();
  }
}

type Alarm = ReturnType<typeof setTimeout>;
