import {
  AuthorizationResponseError,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomState,
  type AuthorizationServer,
  validateAuthResponse,
} from 'oauth4webapi';
import { AuthError, quote } from './errors.js';
import type { Registration } from './identity.js';
import type { Redirect, RedirectSession } from './options.js';
import { reasonOf, withoutSecrets } from './rejection.js';
import { request, type TokenContext, type Tokens, wanted } from './tokens.js';

/** The longest address that a person is sent to. The system limits what a program is started with. */
const maxAddressBytes = 8_192;

/** A sign-in that was begun: what is needed to end it. */
export interface Begun {
  readonly state: string;
  readonly verifier: string;
  readonly registration: Registration;
  readonly scopes: readonly string[] | undefined;
}

/** The sign-in that an earlier page began, if this page ends one. */
export function resumedSignIn({ resumed }: RedirectSession): Begun | undefined {
  if (resumed === undefined) return undefined;
  try {
    const begun = JSON.parse(resumed.memo) as Partial<Begun> | null;
    return typeof begun?.state === 'string' && typeof begun.verifier === 'string'
      ? (begun as Begun)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Has a person sign in: authorization code with PKCE. RFC 6749 section 4.1, RFC 7636, RFC 8707, RFC 9207. */
export async function signInWithCode(
  context: TokenContext,
  session: RedirectSession,
  earlier: Begun | undefined,
  exchanging: () => void,
): Promise<Tokens> {
  const { server, client, resource, scopes } = context;
  const begun: Begun = earlier ?? {
    state: generateRandomState(),
    verifier: generateRandomCodeVerifier(),
    registration: client,
    scopes,
  };
  const landed =
    earlier === undefined || session.resumed === undefined
      ? await opened(context, session, begun)
      : session.resumed.landed;
  exchanging();
  let code: string | undefined;
  try {
    const codes = validateAuthResponse(server, client, landed, begun.state).getAll('code');
    if (codes.length === 1) [code] = codes;
    if (!code) throw new Error('there is not one "code"');
  } catch (cause) {
    const denied = cause instanceof AuthorizationResponseError;
    const failure = denied ? 'ACCESS_DENIED' : 'REDIRECT_FAILED';
    const why = denied ? reasonOf(cause) : 'its "state", "iss" or "code" is not the expected one';
    throw new AuthError(failure, `the sign-in at ${quote(server.issuer)} failed: ${why}. Sign in again`, {
      cause: withoutSecrets(cause),
    });
  }
  return request(context, 'exchange the code', 'authorization_code', {
    code,
    redirect_uri: session.redirectUri,
    code_verifier: begun.verifier,
    resource,
  });
}

/** Sends a person to the authorization server. Resolves with the address that it led to. */
async function opened(context: TokenContext, session: RedirectSession, begun: Begun): Promise<URL> {
  const { server, client } = context;
  if (server.authorization_endpoint === undefined)
    throw new AuthError(
      'DISCOVERY_FAILED',
      `${quote(server.issuer)} names no "authorization_endpoint": its operator must add one`,
    );
  const url = new URL(server.authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: session.redirectUri,
    code_challenge: await calculatePKCECodeChallenge(begun.verifier),
    code_challenge_method: 'S256',
    state: begun.state,
    ...wanted(context),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  if (context.scopes?.includes('offline_access') === true) url.searchParams.set('prompt', 'consent');
  if (url.href.length > maxAddressBytes)
    throw new AuthError(
      'REDIRECT_FAILED',
      `${quote(server.issuer)} and the requested scopes make an address of ${url.href.length} bytes, more than ${maxAddressBytes}. Request fewer scopes`,
    );
  return session.open(url, JSON.stringify(begun)).catch((cause: unknown) => {
    const { code, why } =
      cause instanceof AuthError
        ? { code: cause.code, why: cause.message }
        : { code: 'REDIRECT_FAILED' as const, why: 'the person did not come back' };
    throw new AuthError(code, `the sign-in at ${quote(server.issuer)} failed: ${why}. Sign in again`, {
      cause,
    });
  });
}

/** Throws an AuthError where no person can sign in, or not safely. */
export function requireCodeFlow(url: URL, server: AuthorizationServer, redirect: Redirect | undefined): void {
  if (redirect === undefined)
    throw new AuthError(
      'CLIENT_UNKNOWN',
      `${url.origin} requires a person to sign in: pass "redirect", or a "grant"`,
    );
  // Absent means no support. MCP 2025-11-25, basic, authorization, authorization code protection.
  if (server.code_challenge_methods_supported?.includes('S256') !== true)
    throw new AuthError(
      'DISCOVERY_FAILED',
      `${quote(server.issuer)} does not name S256 in "code_challenge_methods_supported": its operator must add PKCE`,
    );
}
