export { withinRoots } from './within-roots.js';
export { reachableRoots } from './reachable-roots.js';
export type { ReachableOptions } from './reachable-roots.js';
