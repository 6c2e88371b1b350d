import { generateKeyPairSync, type JsonWebKey, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider, type ClientMetadata, type Configuration } from 'oidc-provider';

/** What a test decides about its authorization server. */
export interface AuthorizationServerOptions {
  /** The scopes of every resource. @default ['mcp:tools', 'mcp:write', 'mcp:admin'] */
  readonly scopes?: readonly string[];
  /** Clients that are registered from the beginning. @default {@link tester}, which may use client credentials */
  readonly clients?: readonly ClientMetadata[];
  /**
   * Who signs in. `auto` is a person, `ada`, whom no page asks for anything: any program that follows redirects is a browser. With
   * `pages` a person fills in a form and agrees in another. @default 'auto'
   */
  readonly person?: 'auto' | 'pages';
  /** @default 'jwt' */
  readonly accessTokens?: 'jwt' | 'opaque';
  /** How long an access token is valid, in seconds. @default 3600 */
  readonly accessTokenSeconds?: number;
  /** Whether proofs of possession (RFC 9449) need a nonce of this server. @default false */
  readonly dpopNonce?: boolean;
}

/** A client that may use client credentials and introspection from the beginning. */
export const tester = { id: 'tester', secret: 'a secret of the tests' };

/** What a path answers instead. */
export interface BrokenAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | object;
}

/** An authorization server, made with `oidc-provider`. */
export interface AuthorizationServer {
  /** Its issuer: `http://127.0.0.1:PORT`. */
  readonly issuer: string;
  /** How often each path was asked for, without the preflights of pages. */
  readonly asked: ReadonlyMap<string, number>;
  /** The paths that answer with this status, or this, instead, until they are removed. */
  readonly broken: Map<string, number | BrokenAnswer>;
  /** Returns an access token of {@link tester} for a resource. */
  token(resource: string, scope?: string, parameters?: Readonly<Record<string, string>>): Promise<string>;
  /** Signs with a new key from now on; the JWKS has the new one only. */
  rotateKeys(): void;
  close(): Promise<void>;
}

/**
 * Starts an authorization server on 127.0.0.1. It has dynamic registration, resource indicators for any resource, refresh tokens that
 * rotate, introspection, revocation and DPoP. It keeps everything in memory. The caller closes it.
 */
export async function startAuthorizationServer(
  options: AuthorizationServerOptions = {},
): Promise<AuthorizationServer> {
  const asked = new Map<string, number>();
  const broken = new Map<string, number | BrokenAnswer>();
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    if (request.method !== 'OPTIONS') asked.set(path, (asked.get(path) ?? 0) + 1);
    const instead = broken.get(path);
    if (instead !== undefined) answer(response, typeof instead === 'number' ? { status: instead } : instead);
    else if (path !== '/reg' || !isPreflight(request, response)) handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const cookieKey = randomUUID();
  const nonceSecret = randomBytes(32);
  const rotateKeys = (): void => {
    handle = handlerOf(new Provider(issuer, configuration(options, cookieKey, nonceSecret)), options);
  };
  rotateKeys();
  return {
    issuer,
    asked,
    broken,
    async token(resource, scope, parameters = {}) {
      const body = new URLSearchParams({
        grant_type: 'client_credentials',
        resource,
        ...(scope === undefined ? {} : { scope }),
        ...parameters,
      });
      const authorization = `Basic ${btoa(`${tester.id}:${encodeURIComponent(tester.secret)}`)}`;
      const response = await fetch(`${issuer}/token`, { method: 'POST', body, headers: { authorization } });
      const answer = (await response.json()) as { access_token?: string };
      if (answer.access_token === undefined) throw new Error(`no token: ${JSON.stringify(answer)}`);
      return answer.access_token;
    },
    rotateKeys,
    close: () => closed(server),
  };
}

/**
 * Stands in for a browser, which keeps cookies and follows redirects. With `person: 'auto'` that is all that signing in takes. Returns the
 * address that begins with `until` instead of loading it.
 */
export async function browse(url: URL, until?: string): Promise<URL | undefined> {
  const cookies = new Map<string, string>();
  let next: URL | undefined = url;
  for (let redirects = 0; next !== undefined; redirects += 1) {
    if (redirects > 20) throw new Error(`too many redirects: ${next.pathname}`);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response: Response = await fetch(next, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    await response.text();
    const location: string | null = response.headers.get('location');
    next = location === null ? undefined : new URL(location, next);
    if (until !== undefined && next?.href.startsWith(until) === true) return next;
  }
  return undefined;
}

function configuration(
  options: AuthorizationServerOptions,
  cookieKey: string,
  nonceSecret: Buffer,
): Configuration {
  const { scopes = ['mcp:tools', 'mcp:write', 'mcp:admin'], person = 'auto' } = options;
  const { accessTokens = 'jwt', accessTokenSeconds = 3_600, clients = [testerMetadata] } = options;
  return {
    clients: [...clients],
    jwks: { keys: [signingKey()] },
    scopes: ['openid', 'offline_access', ...scopes],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    cookies: { keys: [cookieKey] },
    clientBasedCORS: () => true,
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    issueRefreshToken: (_context, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    ttl: { AccessToken: accessTokenSeconds, ClientCredentials: accessTokenSeconds },
    features: {
      devInteractions: { enabled: person === 'pages' },
      registration: { enabled: true },
      clientCredentials: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true },
      dPoP: { enabled: true, nonceSecret, requireNonce: () => options.dpopNonce === true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, resource) => ({
          scope: scopes.join(' '),
          audience: resource,
          accessTokenFormat: accessTokens,
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
    ...(person === 'pages' ? {} : automatic),
  };
}

const testerMetadata: ClientMetadata = {
  client_id: tester.id,
  client_secret: tester.secret,
  grant_types: ['client_credentials'],
  response_types: [],
  redirect_uris: [],
};

/** Grants what is asked for. Signing in is a redirect to {@link signInPath} and back. */
const signInPath = '/sign-in';
const automatic: Configuration = {
  interactions: { url: (_context, { uid }) => `${signInPath}/${uid}` },
  async loadExistingGrant({ oidc }) {
    const { client, session, params, provider, resourceServers = {} } = oidc;
    const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId });
    const scope = typeof params?.scope === 'string' ? params.scope : '';
    grant.addOIDCScope(`openid offline_access ${scope}`);
    for (const resource of Object.keys(resourceServers)) grant.addResourceScope(resource, scope);
    await grant.save();
    return grant;
  },
};

function handlerOf(
  provider: Provider,
  { person = 'auto' }: AuthorizationServerOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  const handle = provider.callback();
  return (request, response) => {
    if (person === 'auto' && request.url?.startsWith(`${signInPath}/`) === true) {
      // A native client always needs the consent of a person.
      const result = { login: { accountId: 'ada' }, consent: {} };
      provider
        .interactionFinished(request, response, result)
        .catch(() => response.writeHead(400).end('no interaction'));
    } else void handle(request, response);
  };
}

function signingKey(): JsonWebKey & { readonly kid: string; readonly use: 'sig'; readonly kty: 'EC' } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', kty: 'EC' };
}

function answer(response: ServerResponse, { status, headers, body = '' }: BrokenAnswer): void {
  const type = { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json' };
  response.writeHead(status, { ...type, ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Lets pages register, which the library does not. Returns whether the request was answered. */
function isPreflight({ method }: IncomingMessage, response: ServerResponse): boolean {
  response.setHeader('access-control-allow-origin', '*');
  if (method !== 'OPTIONS') return false;
  response.writeHead(204, { 'access-control-allow-headers': 'content-type' }).end();
  return true;
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
