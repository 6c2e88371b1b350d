import type { RequestId, JsonObject } from '@rxmcp/jsonrpc';
import type { SendOptions, Lane } from '@rxmcp/transport';
import type { PendingCall } from '../peer/calls.js';
import type { Exchange } from '../peer/exchange.js';
import { IdTable } from '../peer/id-table.js';
import { withToken } from './request-claim.js';
import type { CallJoint, PassingEra, RelayedRequest } from './contract.js';
import type { Side } from './side.js';

/** No clock of its own: whoever asked has one. */
const forEver = { idleTimeoutMs: Infinity, totalTimeoutMs: Infinity };

/** Hands requests of one side on to the other, under ids and progress tokens of that side. */
export class Relay {
  private readonly byId = new IdTable<RelayedRequest>();
  private readonly byLane = new Map<Lane, RelayedRequest>();

  /** @param cancel - tells the other side that nobody waits for one of its calls any more */
  constructor(
    private readonly to: Side,
    private readonly joint: CallJoint,
    private readonly cancel: (relayed: RelayedRequest, reason: string) => void,
  ) {}

  /** The call of an id of the other side; whatever else stands in the place of an id belongs to none. */
  ofId(id: unknown): RelayedRequest | undefined {
    return this.byId.get(id as RequestId);
  }

  /** The call on a lane of the other side. */
  ofLane(lane: Lane): RelayedRequest | undefined {
    return this.byLane.get(lane);
  }

  all(): RelayedRequest[] {
    return this.byId.all();
  }

  /** Hands a request on. */
  begin(
    era: PassingEra,
    exchange: Exchange,
    params: JsonObject | undefined,
    envelope: SendOptions | undefined,
  ): void {
    const relayed = new RelayedCall(era, exchange, params, this.joint);
    exchange.onEnd = () => this.over(relayed);
    this.send(relayed, envelope);
  }

  /** Asks once more, for an answer that was not what its asker should see. */
  again(relayed: RelayedRequest, envelope: SendOptions | undefined): void {
    this.forget(relayed);
    if (relayed.exchange.isOpen) this.send(relayed, envelope);
  }

  /** Ends a call of the other side without waiting for it. */
  drop({ call }: RelayedRequest): void {
    if (call !== undefined) this.to.peer.calls.drop(call);
  }

  private send(relayed: RelayedRequest, envelope: SendOptions | undefined): void {
    const { exchange, params } = relayed;
    const call = this.to.peer.calls.start(
      exchange.method,
      (id) => (params === undefined ? undefined : withToken(params, exchange.claim, id)),
      forEver,
      relayed,
      envelope,
    );
    relayed.call = call;
    this.byId.add(relayed);
    if (call.lane !== undefined && this.to.dials) this.byLane.set(call.lane, relayed);
  }

  // The asker has its answer, or does not want one any more.
  private over(relayed: RelayedRequest): void {
    const { call } = relayed;
    this.forget(relayed);
    if (call !== undefined && this.to.peer.calls.drop(call)) this.cancel(relayed, 'no longer needed');
  }

  private forget(relayed: RelayedRequest): void {
    const { call } = relayed;
    if (call === undefined) return;
    this.byId.delete(relayed);
    if (call.lane !== undefined) this.byLane.delete(call.lane);
  }
}

/** One request on its way: the exchange of the side that asked, and the call at the side that answers. */
export class RelayedCall implements RelayedRequest {
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
