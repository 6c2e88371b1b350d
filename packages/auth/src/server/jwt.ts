import { isObject } from '@rxmcp/core/internal';
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify,
} from 'jose';
import { usualAlgorithms } from './algorithms.js';
import { readJson } from './read-json.js';
import { requireSecure } from './require-secure.js';
import type { TokenClaims, TokenVerifier } from './token-verifier.js';

/** Options of {@link jwt}. */
export interface JwtOptions {
  /** The authorization server, exactly as its tokens name it in `iss`. */
  readonly issuer: string;
  /** Where its keys are. @default what its metadata says (RFC 8414, then OpenID Connect) */
  readonly jwksUri?: string;
  /** What `aud` must have. @default the `resource` of the resource server */
  readonly audience?: string;
  /** The algorithms that are accepted; only asymmetric ones. @default ES256, ES384, ES512, EdDSA, PS256, PS384, PS512, RS256, RS384, RS512 */
  readonly algorithms?: readonly string[];
  /** How far the clocks may differ, in seconds. @default 30 */
  readonly clockToleranceSeconds?: number;
  /** How often the keys are fetched for unknown ones, or after a failure, at most, in milliseconds. @default 30000 */
  readonly jwksIntervalMs?: number;
}

const asymmetric = /^(?:ES(?:256|384|512)|PS(?:256|384|512)|RS(?:256|384|512)|EdDSA|Ed25519)$/;

/**
 * Creates a verifier of access tokens that are JWTs. It checks signature, `alg`, `typ`, `iss`, `aud` and `exp`, and rejects ID and logout tokens.
 * RFC 9068 section 4.
 * @throws TypeError for an algorithm that is `none`, symmetric or unknown, and for an address that is not `https:`,
 * except on a loopback address
 */
export function jwt(options: JwtOptions): TokenVerifier {
  const { issuer, jwksUri, clockToleranceSeconds = 30, jwksIntervalMs = 30_000 } = options;
  const algorithms = [...(options.algorithms ?? usualAlgorithms)];
  for (const name of algorithms)
    if (!asymmetric.test(name)) throw new TypeError(`jwt(): "${name}" is not an asymmetric algorithm`);
  if (jwksUri === undefined) requireSecure('jwt', 'issuer', issuer);
  else requireSecure('jwt', 'jwksUri', jwksUri);
  const keySet = async (): Promise<ReturnType<typeof createRemoteJWKSet>> =>
    createRemoteJWKSet(new URL(jwksUri ?? (await jwksUriOf(issuer))), {
      cooldownDuration: jwksIntervalMs,
      [customFetch]: rarelyFailing(jwksIntervalMs),
    });
  let keys: ReturnType<typeof keySet> | undefined;
  let retryAt = Infinity;
  return async (token, resource) => {
    if (keys === undefined || Date.now() >= retryAt) {
      retryAt = Infinity;
      keys = keySet();
      keys.catch(() => (retryAt = Date.now() + jwksIntervalMs));
    }
    const set = await keys;
    const audience = options.audience ?? resource;
    try {
      const checks = { issuer, audience, algorithms, clockTolerance: clockToleranceSeconds };
      const found = await verified(token, set, { ...checks, requiredClaims: ['exp'] });
      return isAccessToken(found) ? (found.payload as TokenClaims) : undefined;
    } catch (error) {
      // Any other error is one of the keys: the token could not be judged.
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  };
}

/** Tries each key where several match: keys with one name, or a token that names none. */
async function verified(
  token: string,
  set: ReturnType<typeof createRemoteJWKSet>,
  checks: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, set, checks);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return await jwtVerify(token, key, checks);
      } catch (cause) {
        // The signature is checked first. A key may also be unusable.
        if (cause instanceof errors.JWTExpired || cause instanceof errors.JWTClaimValidationFailed)
          throw cause;
      }
    }
    throw error;
  }
}

/** Whether a token is neither an ID token, nor a logout token, nor of another declared type. */
function isAccessToken({ payload, protectedHeader: { typ = 'JWT' } }: JWTVerifyResult): boolean {
  if (payload['nonce'] !== undefined || payload['events'] !== undefined) return false;
  return /^(?:application\/)?(?:at\+)?jwt$/i.test(typ);
}

/** Returns a `fetch` of a key set that after a failure sends nothing for a while, and fails in the same way. */
function rarelyFailing(intervalMs: number): (url: string, init: RequestInit) => Promise<Response> {
  let failure: { readonly error: unknown; readonly until: number } | undefined;
  return async (url, init) => {
    if (failure !== undefined && Date.now() < failure.until) throw failure.error;
    try {
      const { keys } = await readJson(url, init);
      if (Array.isArray(keys) && keys.every((key) => isObject(key) && !('d' in key)))
        return Response.json({ keys });
      throw new Error(`fetching from "${new URL(url).origin}" failed: not a JSON Web Key Set of public keys`);
    } catch (error) {
      failure = { error, until: Date.now() + intervalMs };
      throw error;
    }
  };
}

async function jwksUriOf(issuer: string): Promise<string> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  for (const place of new Set(places)) {
    const found = await readJson(place).catch(() => undefined);
    if (found?.issuer !== issuer || typeof found.jwks_uri !== 'string') continue;
    requireSecure('jwt', 'jwks_uri', found.jwks_uri);
    return found.jwks_uri;
  }
  throw new Error(`finding the keys of "${issuer}" failed: no metadata names them. Set "jwksUri"`);
}
