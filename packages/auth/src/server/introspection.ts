import type { JsonObject } from '@rxmcp/core';
import { readJson } from './read-json.js';
import { requireSecure } from './require-secure.js';
import type { TokenClaims, TokenVerifier } from './token-verifier.js';

/** Options of {@link introspection}. */
export interface IntrospectionOptions {
  /** The introspection endpoint of the authorization server. */
  readonly endpoint: string;
  /** This resource server, as the authorization server knows it. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** What `aud` must have. @default the `resource` of the resource server */
  readonly audience?: string;
}

/**
 * Creates a verifier that asks the authorization server whether a token is active, and for this resource.
 * RFC 7662.
 * @throws TypeError for an endpoint that is not `https:`, except on a loopback address
 */
export function introspection(options: IntrospectionOptions): TokenVerifier {
  const { endpoint, clientId, clientSecret } = options;
  requireSecure('introspection', 'endpoint', endpoint);
  const credentials = [clientId, clientSecret].map(encodeURIComponent).join(':');
  const headers = { authorization: `Basic ${btoa(credentials)}`, accept: 'application/json' };
  return async (token, resource) => {
    const body = new URLSearchParams({ token, token_type_hint: 'access_token' });
    const found = await readJson(endpoint, { method: 'POST', headers, body });
    const { aud } = found;
    const audience = options.audience ?? resource;
    const isForUs = Array.isArray(aud) ? aud.includes(audience) : aud === audience;
    return found.active === true && isForUs && !isRefreshToken(found) ? (found as TokenClaims) : undefined;
  };
}

/** The endpoint is asked about any token, and has no standard name for its kind. These are usual ones. */
function isRefreshToken({ token_use, typ, token_type }: JsonObject): boolean {
  return [token_use, typ, token_type].some(
    (kind) => typeof kind === 'string' && /^(?:refresh|offline)/i.test(kind),
  );
}
