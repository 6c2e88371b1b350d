import type { JsonObject } from '@rxmcp/jsonrpc';
import type { CallHandler, PendingCall } from '../peer/calls.js';
import type { Exchange } from '../peer/exchange.js';
import type { PassingEra } from './passing/passing-era.js';

/** How results and failures are handed on. */
export interface CallJoint {
  /** The result as the asking side may see it; undefined = it was handed over in another way. */
  result(call: RelayedCall, result: JsonObject): JsonObject | undefined;
  /** True when the failure was taken care of. */
  failed(call: RelayedCall, error: Error): boolean;
}

/** One request on its way: the exchange of the side that asked, and the call at the side that answers. */
export class RelayedCall implements CallHandler {
  /** Set while it is in flight. A table that holds this finds it by the id of the call: another call is set after it has left. */
  call: PendingCall | undefined = undefined;
  /** Sent once more already. */
  repeated = false;

  constructor(
    readonly era: PassingEra,
    readonly exchange: Exchange,
    /** As they go on, but for the progress token. */
    readonly params: JsonObject | undefined,
    private readonly joint: CallJoint,
  ) {}

  /** The id of its call. Calls that were not made yet have none, and stand in no table. */
  get id(): number {
    return this.call?.id ?? Number.NaN;
  }

  result(result: JsonObject): void {
    const seen = this.joint.result(this, result);
    if (seen !== undefined) this.exchange.done(seen);
  }

  failed(error: Error): void {
    if (!this.joint.failed(this, error)) this.exchange.failed(error);
  }

  progress({ progress, total, message }: JsonObject): void {
    this.exchange.progress(
      progress as number,
      typeof total === 'number' ? total : undefined,
      typeof message === 'string' ? message : undefined,
    );
  }
}
