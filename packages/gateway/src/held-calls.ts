import { refTimer } from '@rxmcp/core/internal';
import type { ForwardedCall } from './forwarded-call.js';

/** How long a call waits for the answer of its client, in milliseconds. */
const maxHoldMs = 600_000;
/** The number of calls of one server that wait; one more ends the oldest. */
const maxHeldCalls = 1_024;

/** The calls that wait until their clients repeat a request with the answer to an ask. */
export class HeldCalls {
  private readonly byId = new Map<string, { readonly call: ForwardedCall; readonly alarm: Alarm }>();

  add(id: string, call: ForwardedCall): void {
    const [oldest] = this.byId.keys();
    if (this.byId.size >= maxHeldCalls && oldest !== undefined) this.drop(oldest);
    this.byId.set(id, { call, alarm: refTimer(() => this.drop(id), maxHoldMs) });
  }

  /** Returns a call once. */
  take(id: string): ForwardedCall | undefined {
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
