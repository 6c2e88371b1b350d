export { introspection, type IntrospectionOptions } from './server/introspection.js';
export { jwt, type JwtOptions } from './server/jwt.js';
export type { DpopOptions } from './server/proofs.js';
export { requireScopes, type ScopeRules, type ScopesByName } from './server/require-scopes.js';
export { resourceServer, type ResourceServer, type ResourceServerOptions } from './server/resource-server.js';
export type { TokenClaims, TokenVerifier } from './server/token-verifier.js';
