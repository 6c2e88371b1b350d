export { resolveWithinRoots } from './within-roots.js';
export { reachableRoots } from './reachable-roots.js';
export type { ReachableRootsOptions } from './reachable-roots.js';
