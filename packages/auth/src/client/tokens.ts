import {
  authorizationCodeGrantRequest,
  AuthorizationResponseError,
  type AuthorizationServer,
  calculatePKCECodeChallenge,
  clientCredentialsGrantRequest,
  type DPoPHandle,
  generateRandomCodeVerifier,
  generateRandomState,
  genericTokenEndpointRequest,
  isDPoPNonceError,
  processAuthorizationCodeResponse,
  processGenericTokenEndpointResponse,
  processRevocationResponse,
  refreshTokenGrantRequest,
  ResponseBodyError,
  revocationRequest,
  type TokenEndpointResponse,
  validateAuthResponse,
} from 'oauth4webapi';
import { AuthError, quote } from './errors.js';
import { clientAuth, type Registration, requestOptions } from './identity.js';
import type { Grant, RedirectSession } from './options.js';
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
  readonly http: GuardedFetch;
}

/** The shortest part of a text that is safe to show of a failed request. */
function reasonOf(cause: unknown): string {
  if (cause instanceof ResponseBodyError || cause instanceof AuthorizationResponseError) {
    const { error, error_description: description } = cause;
    return quote(typeof description === 'string' ? `${error}: ${description}` : error);
  }
  return cause instanceof AuthError ? cause.message : 'an answer that OAuth does not allow';
}

/** The errors of the library hold the response, with tokens and codes, which a log of the error would show. */
function withoutSecrets(cause: unknown): unknown {
  const code = (cause as { readonly code?: unknown } | null)?.code;
  const isOfLibrary = typeof code === 'string' && code.startsWith('OAUTH_');
  return isOfLibrary ? new Error((cause as Error).message) : cause;
}

async function granted(
  context: TokenContext,
  what: string,
  request: () => Promise<Response>,
  process: (response: Response) => Promise<TokenEndpointResponse>,
): Promise<Tokens> {
  try {
    const response = await request()
      .then(process)
      .catch(async (error: unknown) => {
        // The first request cannot know the nonce. RFC 9449 section 8.
        if (!isDPoPNonceError(error)) throw error;
        return process(await request());
      });
    return tokensOf(context, response);
  } catch (cause) {
    const message = `${quote(context.server.issuer)} did not ${what}: ${reasonOf(cause)}`;
    throw new AuthError('TOKEN_FAILED', message, {
      cause: withoutSecrets(cause),
      refused: cause instanceof ResponseBodyError && cause.status < 500 && cause.status !== 429,
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

const optionsOf = ({ http, dpop }: TokenContext) => ({
  ...requestOptions(http),
  ...(dpop === undefined ? {} : { DPoP: dpop }),
});

const authOf = ({ server, client, privateKey }: TokenContext) => clientAuth(server, client, privateKey);

/** Parameters that ask for the resource and its scopes. */
const wanted = ({ resource, scopes }: TokenContext): Record<string, string> => ({
  resource,
  ...(scopes === undefined || scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
});

/** The longest address that a person is sent to. The system limits what a program is started with. */
const maxAddressBytes = 8_192;

/** Has a person sign in: authorization code with PKCE. RFC 6749 section 4.1, RFC 7636, RFC 8707, RFC 9207. */
export async function signInWithCode(
  context: TokenContext,
  session: RedirectSession,
  exchanging: () => void,
): Promise<Tokens> {
  const { server, client } = context;
  const { redirectUri } = session;
  if (server.authorization_endpoint === undefined)
    throw new AuthError('DISCOVERY_FAILED', `${quote(server.issuer)} names no "authorization_endpoint"`);
  const verifier = generateRandomCodeVerifier();
  const state = generateRandomState();
  const url = new URL(server.authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...wanted(context),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  if (context.scopes?.includes('offline_access') === true) url.searchParams.set('prompt', 'consent');
  if (url.href.length > maxAddressBytes)
    throw new AuthError(
      'REDIRECT_FAILED',
      `${quote(server.issuer)} and the requested scopes make an address of ${url.href.length} bytes; a browser gets ${maxAddressBytes} at most`,
    );
  const landed = await session.open(url).catch((cause: unknown) => {
    if (cause instanceof AuthError) throw cause;
    throw new AuthError('REDIRECT_FAILED', 'the person did not come back from the sign-in', { cause });
  });
  exchanging();
  let answer: URLSearchParams;
  try {
    answer = validateAuthResponse(server, client, landed, state);
  } catch (cause) {
    const denied = cause instanceof AuthorizationResponseError;
    const code = denied ? 'ACCESS_DENIED' : 'REDIRECT_FAILED';
    const why = denied ? reasonOf(cause) : 'its "state", "iss" or "code" is not the expected one';
    throw new AuthError(code, `the sign-in at ${quote(server.issuer)} failed: ${why}`, {
      cause: withoutSecrets(cause),
    });
  }
  return granted(
    context,
    'exchange the code',
    () =>
      authorizationCodeGrantRequest(server, client, authOf(context), answer, redirectUri, verifier, {
        ...optionsOf(context),
        additionalParameters: { resource: context.resource },
      }),
    (response) => processAuthorizationCodeResponse(server, client, response),
  );
}

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
    throw new AuthError('TOKEN_FAILED', `"assertion" returned none for ${quote(issuer)}`, { cause });
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
  const message = `${quote(server.issuer)} did not revoke the tokens, which are forgotten here: ${reasonOf(cause)}`;
  throw new AuthError('TOKEN_FAILED', message, { cause: withoutSecrets(cause) });
}
