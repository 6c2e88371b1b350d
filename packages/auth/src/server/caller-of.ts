import { isObject } from '@rxmcp/core/internal';
import type { CallerIdentity } from '@rxmcp/transport/guard';
import type { TokenClaims } from './token-verifier.js';

/** The scopes that a scope includes, by that scope. */
export type ImpliedScopes = Readonly<Record<string, readonly string[]>>;

/** How far the clock of the authorization server may differ. */
const toleranceMs = 30_000;

/**
 * Without a principal, of an issuer that is not listed, expired, or bound to something that is not checked here: no caller. With one
 * issuer, `iss` may be missing, as in introspection.
 */
export function callerOf(
  claims: TokenClaims,
  issuers: readonly string[],
  implied: ImpliedScopes = {},
): CallerIdentity | undefined {
  const { iss, scope, exp, cnf } = claims;
  const expiresAt = exp === undefined ? undefined : exp * 1_000 + toleranceMs;
  if (!isUnboundOrToKey(cnf) || (expiresAt !== undefined && !(expiresAt > Date.now()))) return undefined;
  const name = nameOf(claims);
  if (name === undefined) return undefined;
  const hasIssuers = issuers.length > 1;
  if (hasIssuers && (iss === undefined || !issuers.includes(iss))) return undefined;
  const principal = hasIssuers ? `${String(iss)} ${name}` : name;
  const scopes = new Set(typeof scope === 'string' ? scope.split(' ').filter((one) => one !== '') : []);
  // What is added is visited too.
  for (const one of scopes) for (const other of ownValue(implied, one) ?? []) scopes.add(other);
  return Object.freeze({
    principal,
    claims,
    scopes: [...scopes],
    ...(expiresAt === undefined ? {} : { expiresAt }),
  });
}

/** Whether `cnf` is missing or only the thumbprint of a key. */
function isUnboundOrToKey(cnf: unknown): boolean {
  if (cnf === undefined) return true;
  return isObject(cnf) && typeof cnf['jkt'] === 'string' && Object.keys(cnf).length === 1;
}

/** Returns a name that is different for each `sub`, and for each client without one. The claims may have any types. */
function nameOf({ sub, client_id: client }: Record<string, unknown>): string | undefined {
  if (sub === undefined) return typeof client === 'string' ? `client:${client}` : undefined;
  if (typeof sub !== 'string' || sub === '') return undefined;
  return /^(?:client|sub):/.test(sub) ? `sub:${sub}` : sub;
}

function ownValue<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
