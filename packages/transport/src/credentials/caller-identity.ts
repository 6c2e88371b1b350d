import { omitUndefined } from '../base/omit-undefined.js';
import type { JsonObject } from '@rxmcp/jsonrpc';

/** Identifies an authenticated caller. Handlers read it in `ctx.caller`. */
export interface CallerIdentity {
  /** The stable id of the caller. Sessions, encrypted `requestState` and shares of the limits are bound to it. */
  readonly principal: string;
  /** What else was found out about the caller, such as the claims of its token. A JSON object. */
  readonly claims?: JsonObject;
  /** What the caller may do, such as the scopes of its token (RFC 6749 section 3.3). */
  readonly scopes?: readonly string[];
  /**
   * When the credentials expire, in milliseconds since 1970. The sessions, streams and sockets that were opened with them end then,
   * except where the same principal has come with later ones. @default never
   */
  readonly expiresAt?: number;
}

/** Whether a value identifies a caller: a string, and where they are given an object, a list of strings and a number. */
export function isCallerIdentity(value: unknown): value is CallerIdentity {
  if (typeof value !== 'object' || value === null) return false;
  const { principal, claims, scopes, expiresAt } = value as Partial<Record<keyof CallerIdentity, unknown>>;
  return (
    typeof principal === 'string' &&
    (claims === undefined || (typeof claims === 'object' && claims !== null && !Array.isArray(claims))) &&
    (scopes === undefined || (Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string'))) &&
    (expiresAt === undefined || (typeof expiresAt === 'number' && !Number.isNaN(expiresAt)))
  );
}

type MaybeIdentity = { readonly [Member in keyof CallerIdentity]?: CallerIdentity[Member] | undefined };

/** Returns who calls, of an object that has other members too; claims and scopes only where they are given. */
export function identityOf({
  principal,
  claims,
  scopes,
}: MaybeIdentity): Omit<Partial<CallerIdentity>, 'expiresAt'> {
  return omitUndefined({ principal, claims, scopes });
}
