import type { JsonObject } from '@rxmcp/jsonrpc';

/** Identifies an authenticated caller. Handlers read it in `ctx.caller`. */
export interface CallerIdentity {
  /** The stable id of the caller. Sessions, sealed state and shares of the limits are bound to it. */
  readonly principal: string;
  /** What else was found out about the caller, such as the claims of its token. A JSON object. */
  readonly claims?: JsonObject;
  /** What the caller may do, such as the scopes of its token (RFC 6749 section 3.3). */
  readonly scopes?: readonly string[];
}

/** Whether a value identifies a caller: a string, and where they are given an object and a list of strings. */
export function isCallerIdentity(value: unknown): value is CallerIdentity {
  if (typeof value !== 'object' || value === null) return false;
  const { principal, claims, scopes } = value as Partial<Record<keyof CallerIdentity, unknown>>;
  return (
    typeof principal === 'string' &&
    (claims === undefined || (typeof claims === 'object' && claims !== null && !Array.isArray(claims))) &&
    (scopes === undefined || (Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string')))
  );
}

type MaybeIdentity = { readonly [Member in keyof CallerIdentity]?: CallerIdentity[Member] | undefined };

/** Returns the members of {@link CallerIdentity} of an object that has others too; claims and scopes only where they are given. */
export function identityOf({ principal, claims, scopes }: MaybeIdentity): Partial<CallerIdentity> {
  return {
    ...(principal === undefined ? {} : { principal }),
    ...(claims === undefined ? {} : { claims }),
    ...(scopes === undefined ? {} : { scopes }),
  };
}
