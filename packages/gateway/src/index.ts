export { offerRemote } from './offer-remote.js';
export type { GatewayItem, OfferRemoteOptions } from './offer-remote.js';
