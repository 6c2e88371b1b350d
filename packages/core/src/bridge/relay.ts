import type { RequestId, JsonObject } from '@rxmcp/jsonrpc';
import type { SendOptions, Lane } from '@rxmcp/transport';
import { Shares } from '@rxmcp/transport/internal';
import type { CallTurn, CallTurns } from '../peer/call-turns.js';
import type { PendingCall } from '../peer/calls.js';
import type { Exchange } from '../peer/exchange.js';
import { IdTable } from '../peer/id-table.js';
import { defaultLimits } from '../peer/limits.js';
import { holderOfRequest } from '../peer/memory.js';
import { withToken } from './request-claim.js';
import type { OutcomeHandler, PassingEra, RelayedRequest } from './contract.js';
import type { Side } from './side.js';

/** The asking side has its own deadlines. */
const forEver = { idleTimeoutMs: Infinity, totalTimeoutMs: Infinity };

/** Relays requests from one side to the other, with ids and progress tokens of the other side. */
export class Relay {
  readonly #byId = new IdTable<RelayedRequest>();
  readonly #byLane = new Map<Lane, RelayedRequest>();
  /** The subscriptions of callers that share the other side: as many as a server of rxmcp lets one caller have. */
  readonly #listens = new Shares(defaultLimits.maxSubscriptions);

  /**
   * @param cancel - cancels a call at the other side
   * @param turns - divides the other side where many callers share it
   */
  constructor(
    private readonly to: Side,
    private readonly outcomes: OutcomeHandler,
    private readonly cancel: (relayed: RelayedRequest, reason: string) => void,
    private readonly turns?: CallTurns,
  ) {}

  /** Returns the call with an id of the other side. Any JSON value may stand in the place of an id. */
  ofId(id: unknown): RelayedRequest | undefined {
    return this.#byId.get(id as RequestId);
  }

  /** Returns the call on a lane of the other side. */
  ofLane(lane: Lane): RelayedRequest | undefined {
    return this.#byLane.get(lane);
  }

  all(): RelayedRequest[] {
    return this.#byId.all();
  }

  /** Relays a request, where callers take turns when it is the turn of its caller. */
  begin(
    era: PassingEra,
    exchange: Exchange,
    params: JsonObject | undefined,
    sendOptions: SendOptions | undefined,
  ): void {
    const relayed = new RelayedCall(era, exchange, params, this.outcomes);
    const { turns } = this;
    const listens = this.#listens;
    const holder = holderOfRequest(exchange);
    // A subscription is no work of the server, and stays open.
    const isShared = turns !== undefined && exchange.method === 'subscriptions/listen';
    if (isShared && !listens.tryAdd(holder)) return exchange.overloaded('too many subscriptions');
    exchange.onEnd = () => {
      this.#over(relayed);
      relayed.turn?.end();
      if (isShared) listens.remove(holder);
    };
    const start = (): void => this.#send(relayed, sendOptions);
    if (turns === undefined || isShared) return start();
    relayed.turn = turns.take({ holder, memory: exchange.host.memory }, start);
    if (!exchange.isOpen) relayed.turn.end();
  }

  /** Sends the request a second time, after a response that the asking side must not see. */
  again(relayed: RelayedRequest, sendOptions: SendOptions | undefined): void {
    this.#forget(relayed);
    if (relayed.exchange.isOpen) this.#send(relayed, sendOptions);
  }

  /** Removes a call of the other side without waiting for its response. */
  drop({ call }: RelayedRequest): void {
    if (call !== undefined) this.to.peer.calls.drop(call);
  }

  #send(relayed: RelayedRequest, sendOptions: SendOptions | undefined): void {
    const { exchange, params } = relayed;
    const call = this.to.peer.calls.start(
      exchange.method,
      (id) => (params === undefined ? undefined : withToken(params, exchange.claim, id)),
      forEver,
      relayed,
      sendOptions,
      { holder: holderOfRequest(exchange) },
    );
    relayed.call = call;
    this.#byId.add(relayed);
    if (call.lane !== undefined && this.to.dials) this.#byLane.set(call.lane, relayed);
  }

  // The asking side has its response, or cancelled.
  #over(relayed: RelayedRequest): void {
    const { call } = relayed;
    this.#forget(relayed);
    if (call !== undefined && this.to.peer.calls.drop(call)) this.cancel(relayed, 'no longer needed');
  }

  #forget(relayed: RelayedRequest): void {
    const { call } = relayed;
    if (call === undefined) return;
    this.#byId.delete(relayed);
    if (call.lane !== undefined) this.#byLane.delete(call.lane);
  }
}

/** A relayed request: the exchange with the side that asked, and the call to the side that responds. */
class RelayedCall implements RelayedRequest {
  /**
   * Set while the call is in flight. IdTable finds this object by the id of the call, so that it must leave the
   * table before `call` changes.
   */
  call: PendingCall | undefined = undefined;
  /** True once the request was sent a second time. */
  repeated = false;
  /** Its place among the calls of the other side. */
  turn: CallTurn | undefined = undefined;

  constructor(
    readonly era: PassingEra,
    readonly exchange: Exchange,
    /** The parameters as they are relayed, except for the progress token. */
    readonly params: JsonObject | undefined,
    private readonly outcomes: OutcomeHandler,
  ) {}

  /** The id of the call; NaN before the call is made, when this object is in no table. */
  get id(): number {
    return this.call?.id ?? Number.NaN;
  }

  result(result: JsonObject): void {
    this.turn?.end(result);
    const seen = this.outcomes.result(this, result);
    if (seen !== undefined) this.exchange.done(seen);
  }

  failed(error: Error): void {
    if (this.outcomes.failed(this, error)) return;
    this.turn?.failed(error);
    this.exchange.failed(error);
  }

  progress({ progress, total, message }: JsonObject): void {
    this.exchange.progress(
      progress as number,
      typeof total === 'number' ? total : undefined,
      typeof message === 'string' ? message : undefined,
    );
  }
}
