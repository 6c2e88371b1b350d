import {
  type AuthorizationServer,
  type ClientAuth,
  type DPoPHandle,
  genericTokenEndpointRequest,
  revocationRequest,
  type TokenEndpointRequestOptions,
} from 'oauth4webapi';
import { isObject } from '@rxmcp/core/internal';
import { retryAfter } from '@rxmcp/transport/internal';
import { AuthError, quote } from './errors.js';
import { clientAuth, type Registration, registrationOf, requestOptions } from './identity.js';
import type { Grant } from './options.js';
import type { Proofs } from './proofs.js';
import { accepted, reasonOf, Rejection, type Secrets, withoutSecrets } from './rejection.js';
import type { GuardedFetch } from './requests.js';

const earlyMs = 30_000;

/** What a sign-in gave. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** When the access token ends, in milliseconds since 1970; absent where that was not said. */
  readonly expiresAt?: number;
  /** When it is renewed, before that. @default 30 s before */
  readonly renewAt?: number;
  readonly scopes: readonly string[];
  /** Those that were asked for. */
  readonly requested?: readonly string[];
  /** The access token is bound to a key. */
  readonly isBound?: boolean;
}

/** What every request to the authorization server is made with. */
export interface TokenContext {
  readonly server: AuthorizationServer;
  readonly client: Registration;
  readonly privateKey: CryptoKey | undefined;
  readonly resource: string;
  readonly scopes: readonly string[] | undefined;
  readonly dpop: DPoPHandle | undefined;
  readonly proofs: Proofs;
  readonly http: GuardedFetch;
}

async function granted(
  context: TokenContext,
  what: string,
  request: () => Promise<Response>,
  secrets: Secrets,
  // Who requires tokens that are bound to a key must not get others unawares.
  types = context.dpop === undefined ? ['bearer', 'dpop'] : ['dpop'],
): Promise<Tokens> {
  let last: Response | undefined;
  const ask = async (): Promise<Response> => accepted((last = await request()));
  try {
    const response = await ask().catch((error: unknown) => {
      const { dpop, privateKey, proofs } = context;
      const hasTime = dpop !== undefined || privateKey !== undefined;
      const isRejected = last?.status === 400 || last?.status === 401;
      // The first request cannot know the nonce (RFC 9449 section 8), nor the clock of the server.
      const needsNonce = error instanceof Rejection && error.error === 'use_dpop_nonce';
      if (!needsNonce && !(hasTime && isRejected && proofs.adjust(last?.headers))) throw error;
      return ask();
    });
    return tokensOf(context, await response.json(), types);
  } catch (cause) {
    const { status = 0 } = last ?? {};
    const isBusy = status === 429 || status === 503;
    const retryAfterMs = isBusy ? retryAfter(last?.headers.get('retry-after') ?? null) : undefined;
    const when = retryAfterMs === undefined ? '' : ` in ${Math.ceil(retryAfterMs / 1_000)} s`;
    const remedy =
      isBusy || status >= 500 ? `Try again${when}` : 'Sign in again, or check the client and its scopes';
    const message = `${quote(context.server.issuer)} did not ${what}: ${isBusy ? `status ${status}` : reasonOf(cause, [context.client.client_secret, ...secrets])}. ${remedy}`;
    throw new AuthError('TOKEN_FAILED', message, {
      cause: withoutSecrets(cause),
      rejected: cause instanceof Rejection && status < 500 && status !== 429,
      retryAfterMs,
    });
  }
}

/** Reads the response of a token endpoint. Not with the library, which also judges ID tokens: none is used. RFC 6749 section 5.1. */
function tokensOf({ scopes }: TokenContext, body: unknown, types: readonly string[]): Tokens {
  const { access_token, refresh_token, expires_in, scope, token_type } = isObject(body) ? body : {};
  const type = String(token_type).toLowerCase();
  // What JSON cannot keep is as good as a century.
  const seconds = expires_in == null ? undefined : Math.min(Number(expires_in), 2 ** 32);
  if (type === 'bearer' && !types.includes(type))
    throw new AuthError('TOKEN_FAILED', 'the token is not bound to a key, which the option "dpop" requires');
  // What is no header would be shown by the error of whatever sends it.
  if (typeof access_token !== 'string' || !/^[\x21-\x7e]+$/.test(access_token) || !types.includes(type))
    throw new Error('the response has no token of a known type');
  if (seconds !== undefined && !(seconds >= 0)) throw new Error('the response has no valid "expires_in"');
  return {
    accessToken: access_token,
    ...(typeof refresh_token === 'string' ? { refreshToken: refresh_token } : {}),
    ...(seconds === undefined ? {} : timesOf(seconds * 1_000)),
    scopes: typeof scope === 'string' ? scope.split(' ') : (scopes ?? []),
    ...(scopes === undefined ? {} : { requested: scopes }),
    ...(type === 'dpop' ? { isBound: true } : {}),
  };
}

/** One that is valid for less than a minute is renewed at half of its time, and not for each request. */
function timesOf(lifetimeMs: number): Pick<Tokens, 'expiresAt' | 'renewAt'> {
  const now = Date.now();
  return {
    expiresAt: now + lifetimeMs,
    renewAt: now + Math.max(lifetimeMs - earlyMs, lifetimeMs / 2),
  };
}

export function isExpired({ expiresAt = Infinity }: Tokens): boolean {
  return expiresAt <= Date.now();
}

/** Whether a token was valid for less than a minute. */
export function isShort({ expiresAt = Infinity, renewAt = -Infinity }: Tokens): boolean {
  return expiresAt - renewAt < earlyMs;
}

/** Whether it is time to renew a token. */
export function isOld({ expiresAt = Infinity, renewAt = expiresAt - earlyMs }: Tokens): boolean {
  return Math.min(renewAt, expiresAt) < Date.now();
}

const optionsOf = ({ http, dpop }: TokenContext): TokenEndpointRequestOptions => ({
  ...requestOptions(http),
  ...(dpop === undefined ? {} : { DPoP: dpop }),
});

const authOf = ({ server, client, privateKey, proofs }: TokenContext): ClientAuth =>
  clientAuth(server, client, privateKey, proofs);

/** Parameters that ask for the resource and its scopes. */
export const wanted = ({ resource, scopes }: TokenContext): Record<string, string> => ({
  resource,
  ...(scopes === undefined || scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
});

/** Gets tokens with a grant. */
export function request(
  context: TokenContext,
  what: string,
  grant: string,
  parameters: Readonly<Record<string, string>>,
): Promise<Tokens> {
  const { server, client } = context;
  const secrets = ['code', 'code_verifier', 'refresh_token', 'assertion'].map((name) => parameters[name]);
  return granted(
    context,
    what,
    () => genericTokenEndpointRequest(server, client, authOf(context), grant, parameters, optionsOf(context)),
    secrets,
  );
}

/** Gets new tokens for a refresh token; keeps that one where there is no new one. RFC 6749 section 6. */
export async function refresh(context: TokenContext, refreshToken: string): Promise<Tokens> {
  const parameters = { refresh_token: refreshToken, resource: context.resource };
  return { refreshToken, ...(await request(context, 'refresh the token', 'refresh_token', parameters)) };
}

/** Gets tokens without a person. */
export async function requestGrant(context: TokenContext, grant: Grant): Promise<Tokens> {
  if (grant.type === 'client-credentials')
    return request(context, 'grant the credentials of the client', 'client_credentials', wanted(context));
  const assertion =
    grant.type === 'workload-identity'
      ? await assertionOf(context, grant)
      : await assertionFor(context, grant);
  const type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  return request(context, 'accept the assertion', type, { assertion, ...wanted(context) });
}

async function assertionOf(
  { server: { issuer }, resource }: TokenContext,
  { assertion }: Extract<Grant, { type: 'workload-identity' }>,
): Promise<string> {
  try {
    return await assertion({ issuer, resource });
  } catch (cause) {
    throw new AuthError('TOKEN_FAILED', `"assertion" returned none for ${quote(issuer)}: see its cause`, {
      cause,
    });
  }
}

/** Has the identity provider make an assertion for the authorization server. RFC 8693, draft identity assertion authorization grant. */
async function assertionFor(
  context: TokenContext,
  { tokenEndpoint, client: own, idToken }: Extract<Grant, { type: 'enterprise-managed' }>,
): Promise<string> {
  const provider = { issuer: new URL(tokenEndpoint).origin, token_endpoint: tokenEndpoint };
  const client = registrationOf(own);
  const http = context.http.for(tokenEndpoint);
  const at: TokenContext = {
    ...context,
    server: provider,
    client,
    privateKey: own.privateKey,
    dpop: undefined,
    http,
  };
  const subject = await idToken();
  const tokens = await granted(
    at,
    'exchange the identity token',
    () =>
      genericTokenEndpointRequest(
        provider,
        client,
        authOf(at),
        'urn:ietf:params:oauth:grant-type:token-exchange',
        {
          requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
          subject_token: subject,
          subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
          audience: context.server.issuer,
          ...wanted(context),
        },
        requestOptions(http),
      ),
    [subject],
    ['n_a', 'bearer'],
  );
  return tokens.accessToken;
}

/** Revokes the tokens where the authorization server can, as many of them as it can. RFC 7009. */
export async function revoke(context: TokenContext, tokens: Tokens): Promise<void> {
  const { server, client } = context;
  if (server.revocation_endpoint === undefined) return;
  const { refreshToken, accessToken } = tokens;
  const results = [];
  // The refresh token first: others can come of it.
  for (const token of refreshToken === undefined ? [accessToken] : [refreshToken, accessToken])
    results.push(
      await revocationRequest(server, client, authOf(context), token, requestOptions(context.http))
        .then(accepted)
        .then(() => undefined)
        .catch((cause: unknown) => {
          // Access tokens that cannot be revoked are valid until they expire. RFC 7009 section 2.2.1.
          const isUnsupported =
            token === accessToken && cause instanceof Rejection && cause.error === 'unsupported_token_type';
          return isUnsupported ? undefined : cause;
        }),
    );
  const cause = results.find((result) => result !== undefined);
  if (cause === undefined) return;
  const message = `${quote(server.issuer)} did not revoke the tokens, which are forgotten here: ${reasonOf(cause, [client.client_secret, accessToken, refreshToken])}. They are valid until they expire`;
  throw new AuthError('TOKEN_FAILED', message, { cause: withoutSecrets(cause) });
}
