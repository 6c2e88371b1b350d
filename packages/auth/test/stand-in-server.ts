import { sendAuthorized } from '@rxmcp/transport/internal';
import { type Auth, oauth, type OAuthOptions } from '../src/index.js';

export const resource = 'https://mcp.example.com/mcp';
export const issuer = 'https://login.example.com';

/** A request that an authorization server gets: its form, or its JSON. */
export interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly form: Readonly<Record<string, string>>;
  readonly json: unknown;
}

/** What a test decides about the servers. */
export interface Settings {
  /** Members of the metadata of the authorization server, in addition to the endpoints. */
  readonly metadata?: object;
  /** Scopes in the metadata of the resource. */
  readonly scopes?: readonly string[];
  /** Answers by the path of the endpoint, each for one request; the last one also for further ones. */
  readonly responses?: Readonly<Record<string, readonly (object | Response)[]>>;
  readonly redirectUri?: string;
  readonly options?: OAuthOptions;
}

/** A client, and what it sends to an authorization server that exists in its `fetch` only. */
export interface StandIn {
  readonly auth: Auth;
  /** The addresses that a person was sent to. */
  readonly opened: URL[];
  /** The requests for an endpoint of the authorization server. */
  sent(path: string): Sent[];
  /** Sends a request that the resource answers with this status and challenge the first time. */
  ask(status: number, challenge: string): Promise<number>;
}

const bearer = { access_token: 'token', token_type: 'Bearer', expires_in: 3_600, refresh_token: 'refresh' };

/** Creates a client of servers that exist in its `fetch` only, so that all it sends can be compared. */
export function standIn(settings: Settings = {}): StandIn {
  const requests: Sent[] = [];
  const opened: URL[] = [];
  const left = new Map<string, (object | Response)[]>();
  const responses: Record<string, readonly (object | Response)[]> = {
    '/register': [{ client_id: 'registered' }],
    '/token': [bearer],
    '/revoke': [{}],
    ...settings.responses,
  };
  const pages: Record<string, object> = {
    'https://mcp.example.com/.well-known/oauth-protected-resource/mcp': {
      resource,
      authorization_servers: [issuer],
      scopes_supported: settings.scopes,
    },
    [`${issuer}/.well-known/oauth-authorization-server`]: {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      revocation_endpoint: `${issuer}/revoke`,
      code_challenge_methods_supported: ['S256'],
      ...settings.metadata,
    },
  };
  const responseTo = (url: string): object | Response | undefined => {
    const { pathname } = new URL(url);
    const own = url.startsWith(issuer) ? responses[pathname] : undefined;
    if (own === undefined) return pages[url];
    const rest = left.get(pathname) ?? [...own];
    left.set(pathname, rest);
    return rest.length > 1 ? rest.shift() : rest[0];
  };
  const redirectUri = settings.redirectUri ?? 'http://127.0.0.1:1/callback';
  const auth = oauth({
    redirect: {
      start: () => ({
        redirectUri,
        open(url) {
          opened.push(url);
          return Promise.resolve(
            new URL(`${redirectUri}?code=code&state=${url.searchParams.get('state') ?? ''}`),
          );
        },
      }),
    },
    fetch(url, { body, headers }) {
      const found = responseTo(url);
      const form = body instanceof URLSearchParams ? Object.fromEntries(body) : {};
      const json: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
      requests.push({ url, headers: new Headers(headers), form, json });
      const response =
        found instanceof Response ? found.clone() : found === undefined ? undefined : Response.json(found);
      return Promise.resolve(response ?? new Response('', { status: 404 }));
    },
    ...settings.options,
  });
  return {
    auth,
    opened,
    sent: (path) => requests.filter(({ url }) => url === issuer + path),
    async ask(status, challenge) {
      let isFirst = true;
      const answer = (): Promise<Response> => {
        const refusal = { status, headers: { 'www-authenticate': `Bearer ${challenge}` } };
        const response = new Response('', isFirst ? refusal : {});
        isFirst = false;
        return Promise.resolve(response);
      };
      return (await sendAuthorized(auth, { method: 'POST', url: resource }, answer, () => undefined)).status;
    },
  };
}

/** An error of an authorization server. RFC 6749 section 5.2. */
export const refusal = (error: string, status = 400): Response => Response.json({ error }, { status });
