import type { JsonObject } from '@rxmcp/jsonrpc';
import { checkOffer } from '../base/brand.js';
import type { MethodOffer, NotificationOffer, Offer } from '../contract/offer.js';

/** What a list of offers provides in total. */
export interface CollectedOffers {
  readonly offers: readonly Offer[];
  readonly capabilities: JsonObject;
  readonly methods: ReadonlyMap<string, MethodOffer>;
  readonly notifications: ReadonlyMap<string, NotificationOffer>;
}

/**
 * Combines offers. Throws a TypeError for a value that is not an offer, an offer for the other side, and two offers
 * of the same thing .
 */
export function collectOffers(
  offers: readonly Offer[],
  side: 'server' | 'client',
  extra: JsonObject,
): CollectedOffers {
  const capabilities: JsonObject = { ...extra };
  const methods = new Map<string, MethodOffer>();
  const notifications = new Map<string, NotificationOffer>();
  const names = new Set<string>();
  for (const [index, offer] of offers.entries()) {
    checkOffer(offer, `offers[${index}]`);
    if (offer.side !== 'both' && offer.side !== side) {
      throw new TypeError(`"${offer.name}" is offered by a ${offer.side}, not by a ${side}`);
    }
    if (names.has(offer.name)) throw new TypeError(`"${offer.name}" is offered twice`);
    names.add(offer.name);
    for (const method of offer.methods ?? []) add(methods, method, offer.name);
    for (const notification of offer.notifications ?? []) add(notifications, notification, offer.name);
    Object.assign(capabilities, offer.capabilities);
  }
  return { offers, capabilities, methods, notifications };
}

/** Removes the capabilities that need messages without a request, for a transport that does not support them. */
export function withoutServerInitiated(capabilities: JsonObject): JsonObject {
  const cut: JsonObject = {};
  for (const [name, value] of Object.entries(capabilities)) {
    if (typeof value !== 'object' || value === null) {
      cut[name] = value;
      continue;
    }
    const { listChanged: _lists, subscribe: _uris, ...rest } = value as JsonObject;
    cut[name] = rest;
  }
  return cut;
}

function add<T extends { readonly method: string }>(map: Map<string, T>, entry: T, offer: string): void {
  if (map.has(entry.method))
    throw new TypeError(`"${offer}" offers "${entry.method}", which is offered already`);
  map.set(entry.method, entry);
}
