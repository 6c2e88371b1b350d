export { offerRoots, onRootsChanged } from './offer.js';
export type { RootsOptions } from './offer.js';
export { listRoots } from './use.js';
export type { Root } from './root.js';
