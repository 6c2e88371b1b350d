import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Auth, AuthErrorCode, OAuthOptions } from 'rxmcp/auth';
import type { Authorizer } from 'rxmcp/transport';
import type { Program } from '../command.js';
import { offered } from './redirect.js';

/** The file with the sign-ins of this person. */
export function signInsFile({ XDG_CONFIG_HOME: config = '' }: NodeJS.ProcessEnv): string {
  return join(config === '' ? join(homedir(), '.config') : config, 'rxmcp', 'sign-ins.json');
}

/** Loads what signs in, with the file of sign-ins. */
export async function loadAuth(env: NodeJS.ProcessEnv, options: OAuthOptions = {}): Promise<Auth> {
  const [{ oauth }, { fileStore }] = await Promise.all([import('rxmcp/auth'), import('rxmcp/auth/node')]);
  return oauth({ clientMetadata: { client_name: 'rxmcp' }, store: fileStore(signInsFile(env)), ...options });
}

/**
 * Adds the tokens of `rxmcp login` to requests. Without tokens it offers a `person` to sign in; without one it says which
 * command does. Nothing of OAuth is loaded before it is needed.
 */
export function keptSignIn(env: NodeJS.ProcessEnv, person?: Program): Authorizer {
  /** The scopes that the server asks for in addition. */
  let missing = '';
  const redirect = person === undefined ? undefined : offered(person, () => missing);
  const needsAuth = (): boolean => redirect !== undefined || existsSync(signInsFile(env));
  let loading: Promise<Auth> | undefined;
  let auth: Auth | undefined;
  const loaded = async (): Promise<Auth> =>
    (auth = await (loading ??= loadAuth(env, redirect === undefined ? {} : { redirect })));
  return {
    async headers(request) {
      if (!existsSync(signInsFile(env))) return {};
      const { server = request.url } = request;
      return (await loaded()).headers(request).catch((cause: unknown) => needsPerson(cause, server));
    },
    async challenged(request, response) {
      const { server = request.url } = request;
      const wanted = response.status === 403 ? scopesOf(response.headers.get('www-authenticate')) : [];
      // More scopes are a decision of the person.
      if (response.status === 403 && (wanted.length === 0 || redirect === undefined)) {
        if (wanted.length === 0) return false;
        throw new Error(loginFor(server, wanted));
      }
      missing = wanted.join(' ');
      if (!needsAuth()) throw new Error(signInFirst(server));
      return (await loaded())
        .challenged(request, response)
        .catch((cause: unknown) => needsPerson(cause, server, wanted));
    },
    isWaiting: (server) => auth?.isWaiting(server) === true,
  };
}

async function needsPerson(cause: unknown, server: string, scopes: readonly string[] = []): Promise<never> {
  const { AuthError } = await import('rxmcp/auth');
  const isPersonNeeded = ['CLIENT_UNKNOWN', 'TOKEN_REJECTED', 'ACCESS_DENIED'].some((code) =>
    AuthError.is(cause, code as AuthErrorCode),
  );
  const how = scopes.length === 0 ? signInFirst(server) : loginFor(server, scopes);
  if (isPersonNeeded) throw new Error(how, { cause });
  throw cause;
}

const signInFirst = (server: string): string =>
  `there is no valid sign-in. Run: rxmcp login ${server}, or pass --header "authorization: Bearer ..." if it takes fixed tokens`;

function loginFor(server: string, scopes: readonly string[]): string {
  const options = scopes.map((scope) => ` --scope ${scope}`).join('');
  return `the sign-in lacks the scopes ${scopes.join(', ')}. Run: rxmcp login ${server}${options}`;
}

/** The scopes of a challenge for more of them, as far as they are names that can be shown. */
function scopesOf(challenge: string | null): readonly string[] {
  const [, scope = ''] = /\bscope="([^"]*)"/.exec(challenge ?? '') ?? [];
  const isForScopes = /\berror="?insufficient_scope\b/.test(challenge ?? '');
  return isForScopes ? scope.split(' ').filter((one) => /^[\w.:/-]+$/.test(one)) : [];
}
