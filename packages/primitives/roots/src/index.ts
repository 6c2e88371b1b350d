export { offerRoots, onRootsChanged, type OfferRootsOptions } from './offer-roots.js';
export { listRoots } from './list-roots.js';
export type { Root } from './root.js';
