import { rejectUnknownOptions } from '@rxmcp/core/internal';
import type { Authorizer } from '@rxmcp/transport';
import type { Observable } from 'rxjs';
import { canonical } from './discover.js';
import type { OAuthOptions, SignInOptions } from './options.js';
import { Realm } from './realm.js';
import type { AuthStatus } from './status.js';
import { memoryStore } from './store.js';

/** Signs in to servers; the option `auth` of `http`. */
export interface Auth extends Authorizer {
  /** What signing in to a server is doing: the current value at once, then each change. Never errors. @stream status */
  status$(url: string | URL): Observable<AuthStatus>;
  /** Signs in now if that is needed, instead of when the server asks for it. Rejects with an {@link AuthError}. */
  signIn(url: string | URL, options?: SignInOptions): Promise<void>;
  /**
   * Forgets the tokens for a server, and then revokes them where its authorization server can (RFC 7009). Rejects with an
   * {@link AuthError} if that fails: the tokens are forgotten, and may be valid until they expire.
   */
  signOut(url: string | URL): Promise<void>;
}

const knownOptions: Record<keyof OAuthOptions, true> = {
  redirect: true,
  clients: true,
  clientMetadataUrl: true,
  clientMetadata: true,
  grant: true,
  scopes: true,
  store: true,
  dpop: true,
  fetch: true,
};
/**
 * Creates what signs in to MCP servers with OAuth 2.1, in every revision that has it. One flow runs at a time for a server,
 * whatever number of requests wait for it; an aborted request ends no flow.
 * MCP 2025-03-26 to 2026-07-28, basic, authorization.
 *
 * @example
 * const auth = oauth({ redirect: loopbackRedirect() });
 * const remote = await client.connect(http('https://example.com/mcp', { auth }));
 */
export function oauth(options: OAuthOptions = {}): Auth {
  rejectUnknownOptions('oauth', options, knownOptions, { tokenStore: 'store' });
  const store = options.store ?? memoryStore();
  const realms = new Map<string, Realm>();
  /** That of the request before: most are for the same server. */
  let last: { readonly address: string; readonly realm: Realm } | undefined;
  const realmOf = (address: string | URL): Realm => {
    if (address === last?.address) return last.realm;
    // A WebSocket is signed in to as its handshake is, over HTTP.
    const url = new URL(String(address).replace(/^ws(?=s?:)/i, 'http'));
    const key = canonical(url);
    let realm = realms.get(key);
    if (realm === undefined) realms.set(key, (realm = new Realm(url, options, store)));
    if (typeof address === 'string') last = { address, realm };
    return realm;
  };
  return {
    headers: (request) => realmOf(request.server ?? request.url).headers(request),
    challenged: (request, response) => realmOf(request.server ?? request.url).challenged(request, response),
    isWaiting: (server) =>
      server === undefined
        ? [...realms.values()].some((realm) => realm.isWaiting)
        : realmOf(server).isWaiting,
    status$: (url) => realmOf(url).status.stream,
    signIn: (url, how) => realmOf(url).signIn(how),
    signOut: (url) => realmOf(url).signOut(),
  };
}
