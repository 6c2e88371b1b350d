import type { Context, JsonObject } from '@rxmcp/core';
import type { ResultSink, SelfSettling } from '@rxmcp/core/internal';
import { forwardTo, settling } from '@rxmcp/core/internal';
import type { HeldCall, Output } from './held-calls.js';

/** A request that waits for the result of a call of another server, as the output of its handler. */
export class WaitingRequest implements Output, SelfSettling<JsonObject> {
  to: ResultSink<JsonObject> | undefined = undefined;

  constructor(
    readonly call: HeldCall,
    readonly ctx: Context,
  ) {}

  subscribe(to: Parameters<Output['subscribe']>[0]): { unsubscribe(): void } {
    return { unsubscribe: this[settling](forwardTo(to)) };
  }

  [settling](to: ResultSink<JsonObject>): () => void {
    this.to = to;
    this.call.attach(this);
    return () => this.call.detach(this);
  }
}
