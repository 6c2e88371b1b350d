import {
  AuthorizationResponseError,
  type AuthorizationServer,
  type ClientAuth,
  clientCredentialsGrantRequest,
  type DPoPHandle,
  genericTokenEndpointRequest,
  isDPoPNonceError,
  processGenericTokenEndpointResponse,
  processRevocationResponse,
  refreshTokenGrantRequest,
  ResponseBodyError,
  revocationRequest,
  type TokenEndpointRequestOptions,
  type TokenEndpointResponse,
} from 'oauth4webapi';
import { retryAfter } from '@rxmcp/transport/internal';
import { AuthError, quote } from './errors.js';
import { clientAuth, type Registration, requestOptions } from './identity.js';
import type { Grant } from './options.js';
import type { Proofs } from './proofs.js';
import type { GuardedFetch } from './requests.js';

/** What a sign-in gave. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** When the access token ends, in milliseconds since 1970; absent where that was not said. */
  readonly expiresAt?: number;
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

/** The shortest part of a text that is safe to show of a failed request. */
export function reasonOf(cause: unknown): string {
  if (cause instanceof ResponseBodyError || cause instanceof AuthorizationResponseError) {
    const { error, error_description: description } = cause;
    return quote(typeof description === 'string' ? `${error}: ${description}` : error);
  }
  return cause instanceof AuthError ? cause.message : 'an answer that OAuth does not allow';
}

/** The errors of the library hold the response, with tokens and codes, which a log of the error would show. */
export function withoutSecrets(cause: unknown): unknown {
  const code = (cause as { readonly code?: unknown } | null)?.code;
  const isOfLibrary = typeof code === 'string' && code.startsWith('OAUTH_');
  return isOfLibrary ? new Error((cause as Error).message) : cause;
}

export async function granted(
  context: TokenContext,
  what: string,
  request: () => Promise<Response>,
  process: (response: Response) => Promise<TokenEndpointResponse>,
): Promise<Tokens> {
  let last: Response | undefined;
  const ask = async (): Promise<TokenEndpointResponse> => process((last = await request()));
  try {
    const response = await ask().catch((error: unknown) => {
      const { dpop, privateKey, proofs } = context;
      const hasTime = dpop !== undefined || privateKey !== undefined;
      const isRejected = last?.status === 400 || last?.status === 401;
      // The first request cannot know the nonce (RFC 9449 section 8), nor the clock of the server.
      const isNew = isDPoPNonceError(error) || (hasTime && isRejected && proofs.adjust(last?.headers));
      if (!isNew) throw error;
      return ask();
    });
    return tokensOf(context, response);
  } catch (cause) {
    const { status = 0 } = last ?? {};
    const isBusy = status === 429 || status === 503;
    const retryAfterMs = isBusy ? retryAfter(last?.headers.get('retry-after') ?? null) : undefined;
    const when = retryAfterMs === undefined ? '' : ` in ${Math.ceil(retryAfterMs / 1_000)} s`;
    const remedy =
      isBusy || status >= 500 ? `Try again${when}` : 'Sign in again, or check the client and its scopes';
    const message = `${quote(context.server.issuer)} did not ${what}: ${isBusy ? `status ${status}` : reasonOf(cause)}. ${remedy}`;
    throw new AuthError('TOKEN_FAILED', message, {
      cause: withoutSecrets(cause),
      refused: cause instanceof ResponseBodyError && status < 500 && status !== 429,
      retryAfterMs,
    });
  }
}

function tokensOf({ scopes }: TokenContext, response: TokenEndpointResponse): Tokens {
  const { access_token, refresh_token, expires_in, scope, token_type } = response;
  return {
    accessToken: access_token,
    ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }),
    ...(expires_in === undefined ? {} : { expiresAt: Date.now() + expires_in * 1_000 }),
    scopes: scope?.split(' ') ?? scopes ?? [],
    ...(scopes === undefined ? {} : { requested: scopes }),
    ...(token_type === 'dpop' ? { isBound: true } : {}),
  };
}

export const optionsOf = ({ http, dpop }: TokenContext): TokenEndpointRequestOptions => ({
  ...requestOptions(http),
  ...(dpop === undefined ? {} : { DPoP: dpop }),
});

export const authOf = ({ server, client, privateKey, proofs }: TokenContext): ClientAuth =>
  clientAuth(server, client, privateKey, proofs);

/** Parameters that ask for the resource and its scopes. */
export const wanted = ({ resource, scopes }: TokenContext): Record<string, string> => ({
  resource,
  ...(scopes === undefined || scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
});

/** Gets new tokens for a refresh token; keeps that one where there is no new one. RFC 6749 section 6. */
export async function refresh(context: TokenContext, refreshToken: string): Promise<Tokens> {
  const { server, client, resource } = context;
  const tokens = await granted(
    context,
    'refresh the token',
    () =>
      refreshTokenGrantRequest(server, client, authOf(context), refreshToken, {
        ...optionsOf(context),
        additionalParameters: { resource },
      }),
    (response) => processGenericTokenEndpointResponse(server, client, response),
  );
  return { refreshToken, ...tokens };
}

/** Gets tokens without a person. */
export async function requestGrant(context: TokenContext, grant: Grant): Promise<Tokens> {
  const { server, client } = context;
  const process = (response: Response) => processGenericTokenEndpointResponse(server, client, response);
  const options = optionsOf(context);
  if (grant.type === 'client-credentials')
    return granted(
      context,
      'grant the credentials of the client',
      () => clientCredentialsGrantRequest(server, client, authOf(context), wanted(context), options),
      process,
    );
  const assertion =
    grant.type === 'workload-identity'
      ? await assertionOf(context, grant)
      : await assertionFor(context, grant);
  return granted(
    context,
    'accept the assertion',
    () =>
      genericTokenEndpointRequest(
        server,
        client,
        authOf(context),
        'urn:ietf:params:oauth:grant-type:jwt-bearer',
        { assertion, ...wanted(context) },
        options,
      ),
    process,
  );
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
  const client = { client_id: own.id, ...(own.secret === undefined ? {} : { client_secret: own.secret }) };
  const at: TokenContext = {
    ...context,
    server: provider,
    client,
    privateKey: own.privateKey,
    dpop: undefined,
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
        requestOptions(context.http),
      ),
    (response) =>
      processGenericTokenEndpointResponse(provider, client, response, {
        recognizedTokenTypes: { n_a: () => undefined },
      }),
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
        .then(processRevocationResponse)
        .catch((cause: unknown) => {
          // Access tokens that cannot be revoked are valid until they expire. RFC 7009 section 2.2.1.
          const isUnsupported =
            token === accessToken &&
            cause instanceof ResponseBodyError &&
            cause.error === 'unsupported_token_type';
          return isUnsupported ? undefined : cause;
        }),
    );
  const cause = results.find((result) => result !== undefined);
  if (cause === undefined) return;
  const message = `${quote(server.issuer)} did not revoke the tokens, which are forgotten here: ${reasonOf(cause)}. They are valid until they expire`;
  throw new AuthError('TOKEN_FAILED', message, { cause: withoutSecrets(cause) });
}
