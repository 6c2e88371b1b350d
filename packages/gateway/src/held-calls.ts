import type { Context, JsonObject, LogItem, ProgressItem, Subscribable } from '@rxmcp/core';
import { refTimer } from '@rxmcp/core/internal';

/** How long a call waits for the answer of its client, in milliseconds. */
const maxHoldMs = 600_000;
/** The number of calls of one server that wait; one more ends the oldest. */
const maxHeldCalls = 1_024;

/** The output of a request that is passed on. */
export type Output = Subscribable<JsonObject | ProgressItem | LogItem>;

/** What receives the output of a request. */
export type Observer = Parameters<Output['subscribe']>[0];

/** A call that can continue for another request. */
export interface HeldCall {
  /** Continues the call for a request. The returned function ends or holds it. */
  attach(ctx: Context, to: Observer): () => void;
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
