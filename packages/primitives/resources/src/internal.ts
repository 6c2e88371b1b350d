// For the other packages of rxmcp only: not covered by semver. Applications use index.ts.
export { forwardedResource, forwardedTemplate } from './definition/forwarded.js';
export type { ForwardedTo } from './definition/forwarded.js';
