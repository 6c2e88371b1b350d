import { expect } from 'vitest';
import { type AuthorizationServer, browse } from '../../../vitest.oidc.js';
import { type Auth, AuthError, oauth, type OAuthOptions } from '../src/index.js';
import { loopbackRedirect } from '../src/node.js';
import { ask, authorizationServer, protectedResource, type ProtectedResource } from './protected-resource.js';

/** A person who has signed in to a resource. */
export interface SignedIn {
  readonly server: AuthorizationServer;
  readonly resource: ProtectedResource;
  readonly auth: Auth;
  /** The addresses that a person was sent to. */
  readonly opened: URL[];
  /** Whether the person agrees, from now on. */
  agrees: Promise<boolean> | boolean;
  asked(path: string): number;
}

/** Signs in to a resource with a person who agrees. */
export async function signedIn(options: OAuthOptions = {}): Promise<SignedIn> {
  const server = await authorizationServer();
  const resource = await protectedResource(server.issuer);
  const opened: URL[] = [];
  const open = async (url: URL): Promise<void> => {
    opened.push(url);
    if (await made.agrees) return void (await browse(url));
    const { searchParams } = url;
    const back = new URL(searchParams.get('redirect_uri') ?? '');
    back.search = `?error=access_denied&state=${searchParams.get('state')}&iss=${server.issuer}`;
    await (await fetch(back)).text();
  };
  const auth = oauth({ redirect: loopbackRedirect({ open: (url) => void open(url) }), ...options });
  const asked = (path: string): number => server.asked.get(path) ?? 0;
  const made: SignedIn = { server, resource, auth, opened, agrees: true, asked };
  expect(await ask(auth, resource.url)).toBe(200);
  return made;
}

/** Resolves with the AuthError of what rejects. */
export const causeOf = async (promise: Promise<unknown>): Promise<AuthError | undefined> =>
  AuthError.causeOf(await promise.then(() => undefined).catch((error: unknown) => error));

/** Has a resource reject the tokens that it has seen. */
export function expire({ resource }: SignedIn): void {
  const ended = new Set(resource.tokens);
  resource.verdict = (token) => [ended.has(token) ? 401 : 200, 'error="invalid_token"'];
}
