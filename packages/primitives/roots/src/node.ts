export { resolveWithinRoots } from './resolve-within-roots.js';
export { reachableRoots, type ReachableRootsOptions } from './reachable-roots.js';
