// For the other packages of rxmcp only: not covered by semver. Applications use index.ts.
export { offerResolvers } from './offer-completion.js';
export type { CompleteRequest, CompletionResolver } from './offer-completion.js';
