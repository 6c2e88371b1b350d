import { type CallerIdentity, identityOf, isCallerIdentity } from '../credentials/caller-identity.js';
import type { Authenticator } from './guard.js';

const longest = 4_096;

/** A token of {@link bearer}, and its caller. */
export interface BearerCaller extends Omit<Partial<CallerIdentity>, 'expiresAt'> {
  readonly token: string;
  /** The principal. Several tokens may have the same. @default the key of the entry */
  readonly principal?: string;
}

/**
 * Creates an authenticator for bearer tokens: the keys are principals, the values their tokens, each alone or with claims and scopes.
 * Tokens are compared in constant time for texts of the same length.
 * RFC 6750 section 2.1.
 * @throws TypeError for an empty table, an empty token, and for claims or scopes of another type
 */
export function bearer(tokens: Readonly<Record<string, string | BearerCaller>>): Authenticator {
  if (typeof tokens !== 'object' || Array.isArray(tokens))
    throw new TypeError(
      `bearer() takes a table of principals and tokens, as in bearer({ ada: 'her token' })`,
    );
  const known = Object.entries(tokens).map(([name, value]) => tokenAndCaller(name, value));
  if (known.length === 0) throw new TypeError('bearer() needs at least one token');
  return (head) => {
    const values = head.headerValues('authorization');
    const presented = values.length === 1 ? /^bearer +(\S+)$/i.exec(values[0] ?? '')?.[1] : undefined;
    if (presented === undefined || presented.length > longest) return { status: 401, challenge: 'Bearer' };
    let found: CallerIdentity | undefined;
    for (const { token, caller } of known) if (same(presented, token)) found = caller;
    return found ?? invalid;
  };
}

function tokenAndCaller(
  name: string,
  value: string | BearerCaller,
): { readonly token: string; readonly caller: CallerIdentity } {
  const entry: BearerCaller = typeof value === 'string' ? { token: value } : value;
  const token = (entry as BearerCaller | undefined)?.token;
  if (typeof token !== 'string')
    throw new TypeError(
      `bearer(): "${name}" needs its token, as in { ${name}: { token: '...', scopes: [] } }`,
    );
  if (token === '') throw new TypeError(`the token of "${name}" is empty`);
  const caller = Object.freeze({ principal: name, ...identityOf(entry) });
  if (!isCallerIdentity(caller))
    throw new TypeError(`bearer(): the claims of "${name}" must be an object, its scopes a list of strings`);
  return { token, caller };
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
