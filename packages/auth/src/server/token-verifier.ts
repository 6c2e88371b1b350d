import type { JsonObject } from '@rxmcp/core';

/** What an access token says. */
export interface TokenClaims extends JsonObject {
  readonly iss?: string;
  readonly sub?: string;
  readonly client_id?: string;
  /** The scopes, separated by spaces. */
  readonly scope?: string;
  /** When the token expires, in seconds since 1970. */
  readonly exp?: number;
}

/**
 * Returns what a token says; `undefined` where it is invalid or for another resource. Rejects where that cannot be found out: the
 * request then fails with 503 and `Retry-After`, so that the client does not sign in again.
 */
export type TokenVerifier = (
  token: string,
  resource: string,
) => TokenClaims | undefined | Promise<TokenClaims | undefined>;
