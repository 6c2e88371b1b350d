import type { JsonRpcNotification, JsonRpcRequest } from '@rxmcp/jsonrpc';
import { detectEra } from '@rxmcp/jsonrpc/internal';
import type { ReceiveInfo, TransportError } from '@rxmcp/transport';
import type { Fault } from '../contract/faults.js';
import { hasBatches } from '../eras/legacy/methods.js';
import { namesVersion } from '../eras/versions.js';
import { Exchange } from '../peer/exchange.js';
import { claimFrom } from './request-claim.js';
import type { BridgeLink } from './contract.js';
import { legacyPassing, modernPassing } from './passing-eras.js';
import type { Role } from './side.js';

/** The side of a bridge that faces the client. */
export class Front implements Role {
  readonly dials = false;
  /** True once nothing new is handed on. */
  draining = false;

  constructor(private readonly link: BridgeLink) {}

  request(request: JsonRpcRequest, arrival: ReceiveInfo | undefined): void {
    const { link } = this;
    const era = namesVersion(request) ? modernPassing : legacyPassing;
    const claim = claimFrom(request, link.version ?? '');
    const exchange = new Exchange(link.front, era, claim, request, arrival);
    link.front.inFlight.add(exchange);
    if (this.draining || link.back.isFull) return exchange.overloaded();
    try {
      era.check(link, request, exchange);
    } catch (error) {
      exchange.failed(error);
      return;
    }
    link.toBack(era, exchange, request.params);
  }

  notification(heard: JsonRpcNotification, arrival: ReceiveInfo | undefined): void {
    const { method } = heard;
    const { back, version, modern } = this.link;
    // A word about a request that nobody knows concerns nobody.
    if (method === 'notifications/cancelled') return;
    const own = arrival?.version ?? arrival?.headers?.version ?? version ?? modern;
    const beside = own === undefined ? {} : { version: own };
    const isReady = method === 'notifications/initialized';
    void back.writer.send(heard, isReady ? { ...beside, completesHandshake: true } : beside);
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

  over(error: TransportError | undefined): void {
    this.link.end('front', error);
  }
}
