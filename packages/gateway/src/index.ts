export { offerRemote } from './offer-remote.js';
export type { GatewayItem, OfferRemoteOptions } from './options.js';
export { relayAsks } from './relay-asks.js';
export type { RelayedAsk } from './relay-asks.js';
