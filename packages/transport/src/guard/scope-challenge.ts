import type { Authenticator } from './guard.js';

const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Returns the headers of a 403 for a caller that lacks some of these scopes. RFC 6750 section 3.1. */
export function scopeChallenge(
  authenticate: Authenticator | undefined,
  scopes: unknown,
): Readonly<Record<string, string>> {
  const known = Array.isArray(scopes) ? scopes : [];
  const valid = known.filter((one): one is string => typeof one === 'string' && scopeToken.test(one));
  const bearer = `Bearer error="insufficient_scope", scope="${valid.join(' ')}"`;
  return { 'www-authenticate': authenticate?.challengeFor?.(valid) ?? bearer };
}
