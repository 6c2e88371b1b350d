import type { Authenticator } from './guard.js';

const longest = 4_096;

/**
 * Creates an authenticator for bearer tokens, given as principal and token. Tokens are compared in constant time for texts of the
 * same length. Throws a TypeError for an empty table or an empty token. RFC 6750 section 2.1.
 */
export function bearer(tokens: Readonly<Record<string, string>>): Authenticator {
  const known = Object.entries(tokens);
  if (known.length === 0) throw new TypeError('bearer() needs at least one token');
  for (const [principal, token] of known) {
    if (token === '') throw new TypeError(`the token of "${principal}" is empty`);
  }
  return (head) => {
    const values = head.headerValues('authorization');
    const presented = values.length === 1 ? /^bearer +(\S+)$/i.exec(values[0] ?? '')?.[1] : undefined;
    if (presented === undefined || presented.length > longest) return { status: 401, challenge: 'Bearer' };
    let caller: string | undefined;
    for (const [principal, token] of known) if (same(presented, token)) caller = principal;
    return caller === undefined ? invalid : { principal: caller };
  };
}

const invalid = Object.freeze({
  status: 401 as const,
  challenge: 'Bearer error="invalid_token"',
  message: 'this token is not known here',
});

/** The time depends on the length of the presented token, never on where the two differ. */
function same(presented: string, token: string): boolean {
  let difference = presented.length ^ token.length;
  for (let at = 0; at < presented.length; at += 1) {
    difference |= presented.charCodeAt(at) ^ token.charCodeAt(at % token.length);
  }
  return difference === 0;
}
