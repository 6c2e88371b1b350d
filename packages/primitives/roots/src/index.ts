export { offerRoots, onRootsChanged } from './offer-roots.js';
export type { OfferRootsOptions } from './offer-roots.js';
export { listRoots } from './list-roots.js';
export type { Root } from './root.js';
