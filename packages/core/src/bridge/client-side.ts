import type { JsonRpcNotification, JsonRpcRequest } from '@rxmcp/jsonrpc';
import { INVALID_REQUEST } from '@rxmcp/jsonrpc';
import { detectEra, namesVersion } from '@rxmcp/jsonrpc/internal';
import type { ReceiveInfo, TransportError } from '@rxmcp/transport';
import { estimateMessageBytes } from '@rxmcp/transport/internal';
import { RpcError } from '../base/errors.js';
import { quoted } from '../base/message-text.js';
import type { Fault } from '../contract/faults.js';
import { hasBatches } from '../eras/legacy/methods.js';
import { Exchange } from '../peer/exchange.js';
import { chargeRequest, releaseAfter } from '../peer/memory.js';
import { claimFrom } from './request-claim.js';
import type { BridgeLink } from './contract.js';
import { legacyPassing, modernPassing } from './passing-eras.js';
import type { SideHandler } from './side.js';

/** The side of a bridge that faces the client. */
export class ClientSide implements SideHandler {
  readonly dials = false;
  /** True once new requests are rejected. */
  draining = false;
  #hasReportedDrop = false;

  constructor(private readonly link: BridgeLink) {}

  request(request: JsonRpcRequest, receiveInfo: ReceiveInfo | undefined, heldBytes: number): void {
    const { link } = this;
    const era = namesVersion(request) ? modernPassing : legacyPassing;
    const claim = claimFrom(request, link.version ?? '');
    const exchange = new Exchange(link.client, era, claim, request, receiveInfo);
    link.client.inFlight.add(exchange);
    if (this.draining || link.server.isFull || !chargeRequest(exchange, heldBytes))
      return exchange.overloaded();
    try {
      this.#checkPrincipal(receiveInfo);
      era.check(link, request, exchange);
    } catch (error) {
      exchange.failed(error);
      return;
    }
    link.toServer(era, exchange, request.params);
  }

  startsNextSession(request: JsonRpcRequest): boolean {
    const { client, version } = this.link;
    const isShared = client.connection.traits.idScope === 'connection';
    return isShared && version !== undefined && request.method === 'initialize' && !namesVersion(request);
  }

  notification(notification: JsonRpcNotification, receiveInfo: ReceiveInfo | undefined): void {
    const { method } = notification;
    const { client, server, version, modern } = this.link;
    // The side has handled the cancellation of a known request. Any other id means nothing to the server.
    if (method === 'notifications/cancelled') return;
    const own = receiveInfo?.version ?? receiveInfo?.headers?.version ?? version ?? modern;
    const sendOptions = own === undefined ? {} : { version: own };
    const isReady = method === 'notifications/initialized';
    // It is kept until the server has taken it.
    const charged = { host: client, receiveInfo, heldBytes: 0 };
    if (server.dropsNotifications || !chargeRequest(charged, estimateMessageBytes(notification)))
      return this.#dropped(method);
    const sent = server.writer.send(
      notification,
      isReady ? { ...sendOptions, completesHandshake: true } : sendOptions,
    );
    releaseAfter(charged, sent);
  }

  // Once: a client may send them as long as it runs.
  #dropped(method: string): void {
    if (this.#hasReportedDrop) return;
    this.#hasReportedDrop = true;
    const why = 'the server takes them slower than they come. Further ones are not reported';
    this.fault({ code: 'NOTIFICATION_DROPPED', message: `dropped ${quoted(method)} of a client: ${why}` });
  }

  takesBatch(entries: readonly unknown[]): boolean {
    const { version } = this.link;
    const fits =
      entries.length > 0 && entries.length <= 100 && !entries.some((entry) => Array.isArray(entry));
    return version !== undefined && hasBatches(version) && fits && detectEra(entries) === 'unknown';
  }

  fault(fault: Fault): void {
    this.link.fault(fault);
  }

  // The server behind has one connection for this one, so it cannot distinguish callers that share it.
  #checkPrincipal(receiveInfo: ReceiveInfo | undefined): void {
    const { traits } = this.link.client.connection;
    if (traits.idScope !== 'lane') return;
    const principal = receiveInfo?.principal;
    if (principal === undefined || principal === traits.principal) return;
    throw new RpcError(INVALID_REQUEST, sharedConnection);
  }

  over(error: TransportError | undefined): void {
    this.link.end('client', error);
  }
}

const sharedConnection =
  'this bridge needs a connection per principal: the transport, and what wraps the bridge, must respect "connectionPerPrincipal" of the handler';
