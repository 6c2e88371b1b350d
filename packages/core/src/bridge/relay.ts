import type { Id, JsonObject } from '@rxmcp/jsonrpc';
import type { Envelope, Lane } from '@rxmcp/transport';
import type { Exchange } from '../peer/exchange.js';
import { IdTable } from '../peer/id-table.js';
import { withToken } from './claims.js';
import type { PassingEra } from './passing/passing-era.js';
import type { CallJoint } from './relayed-call.js';
import { RelayedCall } from './relayed-call.js';
import type { Side } from './side.js';

/** No clock of its own: whoever asked has one. */
const forEver = { timeoutMs: Infinity, totalMs: Infinity };

/** Hands requests of one side on to the other, under ids and progress tokens of that side. */
export class Relay {
  private readonly byId = new IdTable<RelayedCall>();
  private readonly byLane = new Map<Lane, RelayedCall>();

  /** @param cancel - tells the other side that nobody waits for one of its calls any more */
  constructor(
    private readonly to: Side,
    private readonly joint: CallJoint,
    private readonly cancel: (relayed: RelayedCall, reason: string) => void,
  ) {}

  /** The call of an id of the other side; whatever else stands in the place of an id belongs to none. */
  ofId(id: unknown): RelayedCall | undefined {
    return this.byId.get(id as Id);
  }

  /** The call on a lane of the other side. */
  ofLane(lane: Lane): RelayedCall | undefined {
    return this.byLane.get(lane);
  }

  all(): RelayedCall[] {
    return this.byId.all();
  }

  /** Hands a request on. */
  begin(
    era: PassingEra,
    exchange: Exchange,
    params: JsonObject | undefined,
    envelope: Envelope | undefined,
  ): void {
    const relayed = new RelayedCall(era, exchange, params, this.joint);
    exchange.onEnd = () => this.over(relayed);
    this.send(relayed, envelope);
  }

  /** Asks once more, for an answer that was not what its asker should see. */
  again(relayed: RelayedCall, envelope: Envelope | undefined): void {
    this.forget(relayed);
    if (relayed.exchange.isOpen) this.send(relayed, envelope);
  }

  /** Ends a call of the other side without waiting for it. */
  drop({ call }: RelayedCall): void {
    if (call !== undefined) this.to.peer.calls.drop(call);
  }

  private send(relayed: RelayedCall, envelope: Envelope | undefined): void {
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
  private over(relayed: RelayedCall): void {
    const { call } = relayed;
    this.forget(relayed);
    if (call !== undefined && this.to.peer.calls.drop(call)) this.cancel(relayed, 'not wanted any more');
  }

  private forget(relayed: RelayedCall): void {
    const { call } = relayed;
    if (call === undefined) return;
    this.byId.delete(relayed);
    if (call.lane !== undefined) this.byLane.delete(call.lane);
  }
}
