export { resolveWithinRoots } from './resolve-within-roots.js';
export { reachableRoots } from './reachable-roots.js';
export type { ReachableRootsOptions } from './reachable-roots.js';
