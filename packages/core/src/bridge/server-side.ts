import type { JsonObject, JsonRpcNotification, JsonRpcRequest } from '@rxmcp/jsonrpc';
import { META_KEYS } from '@rxmcp/jsonrpc/internal';
import type { ReceiveInfo, Lane, TransportError } from '@rxmcp/transport';
import { isObject } from '../base/checks.js';
import { quoted } from '../base/message-text.js';
import type { Fault } from '../contract/faults.js';
import { hasBatches } from '../eras/legacy/methods.js';
import { Exchange } from '../peer/exchange.js';
import { claimFrom } from './request-claim.js';
import type { BridgeLink, PassingEra } from './contract.js';
import { legacyPassing } from './passing-eras.js';
import type { Role } from './side.js';

/** The side of a bridge that faces the server. */
export class Back implements Role {
  readonly dials = true;

  constructor(private readonly link: BridgeLink) {}

  /** A server asks: on the lane of the request that it serves, so far as that can be known. */
  request(request: JsonRpcRequest, arrival: ReceiveInfo | undefined): void {
    const { link } = this;
    if (link.version === undefined) {
      this.fault({
        code: 'UNEXPECTED_REQUEST',
        message: 'the server sent a request before a handshake: ignored',
      });
      return;
    }
    const claim = claimFrom(request, link.version);
    const exchange = new Exchange(link.back, legacyPassing, claim, request, arrival);
    link.back.inFlight.add(exchange);
    if (link.front.isFull) return exchange.overloaded();
    link.toFront(legacyPassing, exchange, request.params, this.laneFor(arrival?.lane));
  }

  notification(heard: JsonRpcNotification, arrival: ReceiveInfo | undefined): void {
    const { method, params = {} } = heard;
    const { calls } = this.link;
    if (method === 'notifications/cancelled') {
      const ended = calls.ofId(params.requestId);
      // Only a subscription can be meant; anything else ends with its answer.
      if (ended?.exchange.method === 'subscriptions/listen') this.link.subscriptionEnded(ended);
      return;
    }
    const meta = isObject(params._meta) ? params._meta : {};
    if (Object.hasOwn(meta, META_KEYS.subscriptionId)) return this.tagged(heard, params, meta);
    const own = arrival?.lane === undefined ? undefined : calls.ofLane(arrival.lane);
    const lane = own === undefined ? this.laneOf(method) : own.exchange.lane;
    if (lane === 'none') this.dropped(method);
    else this.link.front.held.send(heard, lane, '');
  }

  takesBatch(entries: readonly unknown[]): boolean {
    const { version } = this.link;
    return version !== undefined && hasBatches(version) && !entries.some((entry) => Array.isArray(entry));
  }

  fault(fault: Fault): void {
    this.link.fault(fault);
  }

  over(error: TransportError | undefined): void {
    this.link.end('back', error);
  }

  // A notice of a subscription, which has another id at its client.
  private tagged(heard: JsonRpcNotification, params: JsonObject, meta: JsonObject): void {
    const subscription = this.link.calls.ofId(meta[META_KEYS.subscriptionId]);
    if (subscription === undefined) return this.dropped(heard.method);
    const { id, lane } = subscription.exchange;
    const named = { ...params, _meta: { ...meta, [META_KEYS.subscriptionId]: id } };
    this.link.front.held.send({ ...heard, params: named }, lane, `${JSON.stringify(id)} `);
  }

  // Where something belongs that names no request of one client.
  private laneOf(method: string): Lane | undefined | 'none' {
    const { front, version } = this.link;
    const { lanes, serverInitiates } = front.connection.traits;
    if (lanes === 'shared' || (version !== undefined && serverInitiates)) return undefined;
    const candidates = front.inFlight
      .all()
      .filter(({ claim }) => method !== 'notifications/message' || claim.logLevel !== undefined);
    return candidates.length === 1 ? candidates[0]?.lane : 'none';
  }

  // The lane of the request that is served; where that is not known the only one, else the standing stream, else the oldest.
  private laneFor(lane: Lane | undefined): Lane | undefined {
    const { front, calls } = this.link;
    const own = lane === undefined ? undefined : calls.ofLane(lane);
    if (own !== undefined) return own.exchange.lane;
    const { lanes, serverInitiates } = front.connection.traits;
    if (lanes === 'shared') return undefined;
    const open = front.inFlight.all().filter(({ era }) => (era as PassingEra).takesQuestions);
    return open.length === 1 || !serverInitiates ? open[0]?.lane : undefined;
  }

  private dropped(method: string): void {
    this.fault({
      code: 'NOTIFICATION_DROPPED',
      message: `a ${quoted(method)} of the server belongs to nobody`,
    });
  }
}
