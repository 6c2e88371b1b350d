import type { JsonObject, JsonRpcNotification, JsonRpcRequest } from '@rxmcp/jsonrpc';
import { META_KEYS } from '@rxmcp/jsonrpc/internal';
import type { ReceiveInfo, Lane, TransportError } from '@rxmcp/transport';
import { isObject } from '../base/checks.js';
import { quoted } from '../base/message-text.js';
import type { Fault } from '../contract/faults.js';
import { hasBatches } from '../eras/legacy/methods.js';
import { Exchange } from '../peer/exchange.js';
import { chargeRequest } from '../peer/memory.js';
import { claimFrom } from './request-claim.js';
import type { BridgeLink, PassingEra } from './contract.js';
import { legacyPassing } from './passing-eras.js';
import type { SideHandler } from './side.js';

const maxReported = 16;

/** The side of a bridge that faces the server. */
export class ServerSide implements SideHandler {
  readonly dials = true;
  /** The methods of notifications whose loss was reported. */
  readonly #reported = new Set<string>();

  constructor(private readonly link: BridgeLink) {}

  /** Relays a request of the server on the lane of the client's request that it serves, if that is known. */
  request(request: JsonRpcRequest, receiveInfo: ReceiveInfo | undefined, heldBytes: number): void {
    const { link } = this;
    if (link.version === undefined) {
      this.fault({
        code: 'UNEXPECTED_REQUEST',
        message: 'the server sent a request before a handshake: ignored',
      });
      return;
    }
    const claim = claimFrom(request, link.version);
    const exchange = new Exchange(link.server, legacyPassing, claim, request, receiveInfo);
    link.server.inFlight.add(exchange);
    if (link.client.isFull || !chargeRequest(exchange, heldBytes)) return exchange.overloaded();
    link.toClient(legacyPassing, exchange, request.params, this.#laneFor(receiveInfo?.lane));
  }

  startsNextSession(): boolean {
    return false;
  }

  notification(notification: JsonRpcNotification, receiveInfo: ReceiveInfo | undefined): void {
    const { method, params = {} } = notification;
    const { calls } = this.link;
    if (method === 'notifications/cancelled') {
      const ended = calls.ofId(params.requestId);
      // Only a subscription can be meant; any other request ends with its response.
      if (ended?.exchange.method === 'subscriptions/listen') this.link.subscriptionEnded(ended);
      return;
    }
    const meta = isObject(params._meta) ? params._meta : {};
    if (Object.hasOwn(meta, META_KEYS.subscriptionId)) return this.#tagged(notification, params, meta);
    const own = receiveInfo?.lane === undefined ? undefined : calls.ofLane(receiveInfo.lane);
    const lane = own === undefined ? this.#laneOf(method) : own.exchange.lane;
    if (lane === 'none') this.#dropped(method);
    else this.link.client.held.send(notification, lane, '');
  }

  takesBatch(entries: readonly unknown[]): boolean {
    const { version } = this.link;
    return version !== undefined && hasBatches(version) && !entries.some((entry) => Array.isArray(entry));
  }

  fault(fault: Fault): void {
    this.link.fault(fault);
  }

  over(error: TransportError | undefined): void {
    this.link.end('server', error);
  }

  // A notification of a subscription, which has another id at its client.
  #tagged(notification: JsonRpcNotification, params: JsonObject, meta: JsonObject): void {
    const subscription = this.link.calls.ofId(meta[META_KEYS.subscriptionId]);
    if (subscription === undefined) return this.#dropped(notification.method);
    const { id, lane } = subscription.exchange;
    const named = { ...params, _meta: { ...meta, [META_KEYS.subscriptionId]: id } };
    this.link.client.held.send({ ...notification, params: named }, lane, `${JSON.stringify(id)} `);
  }

  // The lane for a notification that names no request.
  #laneOf(method: string): Lane | undefined | 'none' {
    const { client, version } = this.link;
    const { lanes, serverInitiates } = client.connection.traits;
    if (lanes === 'shared' || (version !== undefined && serverInitiates)) return undefined;
    const candidates = client.inFlight
      .all()
      .filter(({ claim }) => method !== 'notifications/message' || claim.logLevel !== undefined);
    return candidates.length === 1 ? candidates[0]?.lane : 'none';
  }

  // The lane of the request being served; if unknown, that of the only open request; else the standing stream; else
  // that of the oldest request.
  #laneFor(lane: Lane | undefined): Lane | undefined {
    const { client, calls } = this.link;
    const own = lane === undefined ? undefined : calls.ofLane(lane);
    if (own !== undefined) return own.exchange.lane;
    const { lanes, serverInitiates } = client.connection.traits;
    if (lanes === 'shared') return undefined;
    const open = client.inFlight.all().filter(({ era }) => (era as PassingEra).takesQuestions);
    return open.length === 1 || !serverInitiates ? open[0]?.lane : undefined;
  }

  // Once per method: a server may send them as long as it runs.
  #dropped(method: string): void {
    if (this.#reported.has(method) || this.#reported.size >= maxReported) return;
    this.#reported.add(method);
    const why = 'no open request of the client accepts it. Further ones are not reported';
    this.fault({ code: 'NOTIFICATION_DROPPED', message: `dropped ${quoted(method)} of the server: ${why}` });
  }
}
