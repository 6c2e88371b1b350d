import type { AuthorizationServer } from 'oauth4webapi';
import type { Challenge } from './challenge.js';
import { AuthError, quote } from './errors.js';
import type { GuardedFetch } from './requests.js';

/** Where a server has its tokens from. */
export interface Discovered {
  /** The resource that tokens are for (RFC 8707). */
  readonly resource: string;
  readonly server: AuthorizationServer;
  /** There is no metadata: the endpoints are the default ones, and may not exist. */
  readonly isAssumed?: boolean;
  /** What the resource says it needs, where it says so. */
  readonly scopes: readonly string[] | undefined;
}

/** Finds the authorization server of an MCP server. MCP 2025-11-25 and 2026-07-28, basic, authorization, discovery. */
export async function discover(url: URL, challenge: Challenge, http: GuardedFetch): Promise<Discovered> {
  const found = await resourceMetadata(url, challenge, http);
  if (found === undefined) return { ...(await originServer(url, http)), scopes: undefined };
  const { resource, authorization_servers: servers, scopes_supported: scopes } = found.metadata;
  if (typeof resource !== 'string' || !covers(resource, url, found.address))
    throw new AuthError(
      'RESOURCE_MISMATCH',
      `${url.origin} says that it is the resource ${quote(resource)}, which does not cover ${quote(canonical(url))}. Use the address that its metadata names`,
    );
  const [issuer] = Array.isArray(servers) ? (servers as unknown[]) : [];
  if (typeof issuer !== 'string')
    throw new AuthError(
      'DISCOVERY_FAILED',
      `${url.origin} names no authorization server in its metadata: its operator must add one`,
    );
  return {
    resource,
    server: await serverMetadata(issuer, http),
    scopes: Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : undefined,
  };
}

/** The name of the sign-ins to a resource at an authorization server. */
export const nameOf = ({ server, resource }: Discovered): string => `${server.issuer} ${resource}`;

/** The address of a server without what does not name it: query and fragment, and a slash alone. */
export function canonical(url: URL): string {
  return url.origin + (url.pathname === '/' ? '' : url.pathname);
}

const wellKnown = '/.well-known/oauth-protected-resource';

/**
 * RFC 9728 section 3.3. A resource may be a whole origin or a folder of it, where its metadata is at a well-known address: who has
 * another folder of a shared origin must not get tokens for all of it.
 */
function covers(resource: string, url: URL, address: string): boolean {
  // What URL parsers remove or change would reach the authorization server as it is.
  if (!URL.canParse(resource) || /[^!-~]|[\\#]|\/(?:\.|%2e)+(?![^/?])/i.test(resource)) return false;
  const { origin, pathname, search, username, password } = new URL(resource);
  if (origin !== url.origin || username + password !== '' || (search !== '' && search !== url.search))
    return false;
  if (url.pathname === pathname) return true;
  const folder = pathname.replace(/\/$/, '');
  const places = [url.pathname, folder, pathname].map((path) => origin + wellKnown + path);
  return url.pathname.startsWith(`${folder}/`) && places.includes(address);
}

async function resourceMetadata(
  url: URL,
  { resourceMetadata: named }: Challenge,
  http: GuardedFetch,
): Promise<{ metadata: Record<string, unknown>; address: string } | undefined> {
  if (named !== undefined) {
    const address = URL.canParse(named, url) ? new URL(named, url).href : undefined;
    const metadata = address === undefined ? undefined : await http.json(address);
    if (metadata !== undefined && address !== undefined) return { metadata, address };
    throw new AuthError(
      'DISCOVERY_FAILED',
      `${url.origin} has no metadata where its challenge says: its operator must correct that`,
    );
  }
  const places = url.pathname === '/' ? [wellKnown] : [wellKnown + url.pathname, wellKnown];
  for (const place of places) {
    const address = url.origin + place;
    const metadata = await http.json(address);
    if (metadata !== undefined) return { metadata, address };
  }
  return undefined;
}

// MCP 2025-03-26, basic, authorization: the server is the authorization server, whose endpoints have default paths.
async function originServer(url: URL, http: GuardedFetch): Promise<Omit<Discovered, 'scopes'>> {
  const { origin } = url;
  const found = await http.json(`${origin}/.well-known/oauth-authorization-server`);
  // A server that claims the issuer of another one would receive the credentials that are meant for that one. RFC 8414 section 3.3.
  const issuer = found?.['issuer'] ?? origin;
  if (issuer !== origin && issuer !== `${origin}/`)
    throw new AuthError(
      'ISSUER_MISMATCH',
      `the metadata of ${quote(origin)} is that of ${quote(issuer)}, and is not used: its operator must correct that`,
    );
  const server: AuthorizationServer = {
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    // This revision requires it and does not have it advertised.
    code_challenge_methods_supported: ['S256'],
    ...found,
    issuer,
  } as AuthorizationServer;
  const resource = canonical(url);
  return { resource, server: checked(server, http), isAssumed: found === undefined };
}

async function serverMetadata(issuer: string, http: GuardedFetch): Promise<AuthorizationServer> {
  const { origin, pathname } = http.check(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `/.well-known/oauth-authorization-server${path}`,
    `/.well-known/openid-configuration${path}`,
    ...(path === '' ? [] : [`${path}/.well-known/openid-configuration`]),
  ];
  for (const place of places) {
    const found = await http.json(origin + place);
    if (found === undefined) continue;
    // Without the exact name it may be the metadata of another one. RFC 8414 section 3.3.
    if (found['issuer'] !== issuer)
      throw new AuthError(
        'ISSUER_MISMATCH',
        `the metadata of ${quote(issuer)} is that of ${quote(found['issuer'])}, and is not used: its operator must correct that`,
      );
    return checked(found as unknown as AuthorizationServer, http);
  }
  throw new AuthError(
    'DISCOVERY_FAILED',
    `${quote(issuer)} has no metadata of an authorization server: check the address of the server, and its OAuth metadata`,
  );
}

const lists = [
  'code_challenge_methods_supported',
  'grant_types_supported',
  'scopes_supported',
  'token_endpoint_auth_methods_supported',
] as const;

function isListOfStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function checked(server: AuthorizationServer, http: GuardedFetch): AuthorizationServer {
  const { authorization_endpoint, token_endpoint, registration_endpoint, revocation_endpoint } = server;
  if (typeof token_endpoint !== 'string')
    throw new AuthError(
      'DISCOVERY_FAILED',
      `${quote(server.issuer)} names no "token_endpoint": its operator must add one`,
    );
  for (const name of lists)
    if (server[name] !== undefined && !isListOfStrings(server[name]))
      throw new AuthError(
        'DISCOVERY_FAILED',
        `${quote(server.issuer)} has no list of texts in "${name}": its operator must correct that`,
      );
  for (const endpoint of [authorization_endpoint, token_endpoint, registration_endpoint, revocation_endpoint])
    if (endpoint !== undefined) http.check(String(endpoint));
  return server;
}
