import {
  type AuthenticationResult,
  type Authenticator,
  type CallerIdentity,
  type RequestHead,
} from '@rxmcp/transport/guard';
import { rejectUnknownOptions, isObject } from '@rxmcp/core/internal';
import { usualAlgorithms } from './algorithms.js';
import { type DpopOptions, Proofs } from './proofs.js';
import { TokenTable, VerificationLimit } from './token-table.js';
import type { TokenVerifier, TokenClaims } from './token-verifier.js';

/** Options of {@link resourceServer}. */
export interface ResourceServerOptions {
  /** The URL of the MCP endpoint, as clients use it. Tokens must be issued for it. */
  readonly resource: string;
  /** The issuers of the authorization servers, at least one. */
  readonly authorizationServers: readonly string[];
  /** Verifies tokens: {@link jwt}, {@link introspection} or a function. */
  readonly verify: TokenVerifier;
  /** The scopes that each request needs. @default none */
  readonly scopes?: readonly string[];
  /** The scopes that metadata names. @default `scopes` */
  readonly scopesSupported?: readonly string[];
  /** The scopes that a scope includes, as in `{ write: ['read'] }`: callers with `write` also have `read`. @default none */
  readonly impliedScopes?: ImpliedScopes;
  /** How proofs of possession are demanded. Tokens that are bound to a key always need one (RFC 9449). @default not of other tokens */
  readonly dpop?: DpopOptions;
  /** How many verified tokens are kept until they expire. @default 10000 */
  readonly maxCachedTokens?: number;
}

interface MetadataResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const anyOrigin = { 'access-control-allow-origin': '*' };
const preflight = {
  ...anyOrigin,
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': 'mcp-protocol-version',
};

/** Protects an MCP server: the result of {@link resourceServer}. */
export interface ResourceServer {
  /** The `authenticate` of a listener. */
  readonly authenticate: Authenticator;
  /** Where clients find the metadata. */
  readonly metadataUrl: string;
  /**
   * Answers requests for the metadata, at path and root, for pages of every origin. Returns `undefined` for other requests. RFC 9728 section 3.
   */
  metadata(request: Request): Response | undefined;
  /** The same for node:http, Express and Fastify. Returns false for other requests, after calling `next`. */
  nodeMetadata(
    request: { readonly url?: string | undefined; readonly method?: string | undefined },
    response: {
      writeHead(status: number, headers: Readonly<Record<string, string>>): unknown;
      end(body?: string): unknown;
    },
    next?: () => void,
  ): boolean;
}

const knownOptions: Record<keyof ResourceServerOptions, true> = {
  resource: true,
  authorizationServers: true,
  verify: true,
  scopes: true,
  scopesSupported: true,
  impliedScopes: true,
  dpop: true,
  maxCachedTokens: true,
};

/** The response where a token could not be verified. Other errors may contain a token. */
function unavailable(error: unknown): AuthenticationResult {
  const message = error instanceof VerificationLimit ? error.message : 'access tokens cannot be verified now';
  return { status: 503, message };
}
const longestToken = 16_384;
const wellKnown = '/.well-known/oauth-protected-resource';

/**
 * Protects an MCP server with access tokens of an authorization server. Tokens are read from the `Authorization` header only.
 * RFC 6750, RFC 9728; MCP 2026-07-28, basic, authorization.
 * @throws TypeError for invalid options
 */
export function resourceServer(options: ResourceServerOptions): ResourceServer {
  rejectUnknownOptions('resourceServer', options, knownOptions, { issuer: 'authorizationServers' });
  const {
    resource,
    authorizationServers,
    verify,
    scopes = [],
    scopesSupported = scopes,
    dpop = {},
  } = options;
  if (!URL.canParse(resource) || new URL(resource).hash !== '')
    throw new TypeError(`resourceServer: "${resource}" is not a URL without a fragment`);
  if (authorizationServers.length === 0)
    throw new TypeError('resourceServer: "authorizationServers" needs at least one issuer');
  for (const scope of [...scopes, ...scopesSupported])
    if (!/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope) || scope === 'offline_access')
      throw new TypeError(`resourceServer: "${scope}" is not a scope of a resource`);
  const { required = false, nonce = false } = dpop;
  const { origin, pathname } = new URL(resource);
  const path = pathname === '/' ? '' : pathname;
  const metadataUrl = `${origin}${wellKnown}${path}`;
  const body = JSON.stringify({
    resource,
    authorization_servers: authorizationServers,
    ...(scopesSupported.length === 0 ? {} : { scopes_supported: scopesSupported }),
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: usualAlgorithms,
    ...(required ? { dpop_bound_access_tokens_required: true } : {}),
  });
  const proofs = new Proofs(new URL(resource), nonce);
  const challenge = (scheme: Scheme, error: string, needed = scopes): string => {
    const why = error === '' ? [] : [`error="${error}"`];
    const own = scheme === 'DPoP' ? [`algs="${usualAlgorithms.join(' ')}"`] : [];
    const all = needed.length === 0 ? [] : [`scope="${needed.join(' ')}"`];
    return `${scheme} ${[...why, ...own, `resource_metadata="${metadataUrl}"`, ...all].join(', ')}`;
  };
  const usual: Scheme = required ? 'DPoP' : 'Bearer';
  const reject = (
    status: 400 | 401 | 403,
    error: string,
    message: string,
    scheme = usual,
  ): AuthenticationResult => ({ status, challenge: challenge(scheme, error), message });
  const table = new TokenTable(options.maxCachedTokens ?? 10_000, async (token) => {
    const claims = await verify(token, resource);
    return claims === undefined ? undefined : callerOf(claims, authorizationServers, options.impliedScopes);
  });
  const judgeScopes = (caller: CallerIdentity, scheme: Scheme): AuthenticationResult =>
    scopes.every((scope) => caller.scopes?.includes(scope))
      ? caller
      : reject(403, 'insufficient_scope', `the request needs the scopes: ${scopes.join(' ')}`, scheme);
  const judge = (
    caller: CallerIdentity | undefined,
    { scheme, token }: Credentials,
    head: RequestHead,
  ): AuthenticationResult | Promise<AuthenticationResult> => {
    const thumbprint = (caller?.claims?.['cnf'] as { jkt: string } | undefined)?.jkt;
    const isBound = thumbprint !== undefined;
    if (caller === undefined || (!isBound && required) || isBound !== (scheme === 'DPoP'))
      return reject(401, 'invalid_token', isBound ? boundMessage : invalidMessage, scheme);
    return isBound ? judgeProof(caller, token, thumbprint, head) : judgeScopes(caller, scheme);
  };
  const judgeProof = async (
    caller: CallerIdentity,
    token: string,
    thumbprint: string,
    head: RequestHead,
  ): Promise<AuthenticationResult> => {
    const problem = await proofs.problemOf(head, token, { principal: caller.principal, thumbprint });
    if (problem === undefined) return judgeScopes(caller, 'DPoP');
    const headers = nonce ? { 'dpop-nonce': await proofs.nonce() } : {};
    return { ...reject(401, problem, 'the proof of possession is missing or invalid', 'DPoP'), headers };
  };

  const responseTo = (method: string, at: string): MetadataResponse | undefined => {
    if (at !== wellKnown && at !== wellKnown + path) return undefined;
    if (method === 'OPTIONS') return { status: 204, headers: preflight };
    if (method !== 'GET' && method !== 'HEAD')
      return { status: 405, headers: { ...anyOrigin, allow: 'GET, HEAD, OPTIONS' } };
    return { status: 200, headers: { ...anyOrigin, 'content-type': 'application/json' }, body };
  };

  // Without a promise where the token is known, which is what most requests have.
  const authenticate: Authenticator = (head, clientAddress) => {
    if (/[?&]access_token=/.test(head.target))
      return reject(400, 'invalid_request', 'an access token in the query is not accepted');
    const found = credentialsOf(head);
    if (found === undefined) return reject(401, '', 'an access token is needed');
    if (found.token.length > longestToken) return reject(401, 'invalid_token', invalidMessage);
    const caller = table.callerOf(found.token, head, clientAddress);
    const result =
      caller instanceof Promise
        ? caller.then((known) => judge(known, found, head))
        : judge(caller, found, head);
    return result instanceof Promise ? result.catch(unavailable) : result;
  };

  return {
    metadataUrl,
    authenticate: Object.assign(authenticate, {
      challengeFor: (needed: readonly string[]) =>
        challenge(usual, 'insufficient_scope', [...new Set([...scopes, ...needed])]),
    }),
    metadata(request) {
      const found = responseTo(request.method, new URL(request.url).pathname);
      return found === undefined ? undefined : new Response(found.body ?? null, found);
    },
    nodeMetadata(request, response, next) {
      const [at = ''] = (request.url ?? '').split('?');
      const found = responseTo(request.method ?? 'GET', at);
      if (found === undefined) {
        next?.();
        return false;
      }
      response.writeHead(found.status, found.headers);
      response.end(found.body);
      return true;
    },
  };
}

const invalidMessage = 'the access token is invalid, expired or for another resource';
const boundMessage = 'this access token needs a proof of possession';

type Scheme = 'Bearer' | 'DPoP';

interface Credentials {
  readonly scheme: Scheme;
  readonly token: string;
}

function credentialsOf(head: RequestHead): Credentials | undefined {
  const values = head.headerValues('authorization');
  const [value = ''] = values;
  const at = value.indexOf(' ');
  const scheme = value.slice(0, Math.max(at, 0)).toLowerCase();
  const token = value.slice(at + 1).trim();
  const isKnown = scheme === 'bearer' || scheme === 'dpop';
  if (values.length !== 1 || !isKnown || token === '' || token.includes(' ')) return undefined;
  return { scheme: scheme === 'dpop' ? 'DPoP' : 'Bearer', token };
}

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
