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
  const redirect = person === undefined ? undefined : offered(person);
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
      // More scopes are a decision of the person, who can pass them to `login`.
      if (response.status === 403) return false;
      if (!needsAuth()) throw new Error(signInFirst(server));
      return (await loaded())
        .challenged(request, response)
        .catch((cause: unknown) => needsPerson(cause, server));
    },
    isWaiting: () => redirect?.isAsking === true || auth?.isWaiting() === true,
  };
}

async function needsPerson(cause: unknown, server: string): Promise<never> {
  const { AuthError } = await import('rxmcp/auth');
  const isPersonNeeded = ['CLIENT_UNKNOWN', 'TOKEN_REJECTED', 'ACCESS_DENIED'].some((code) =>
    AuthError.is(cause, code as AuthErrorCode),
  );
  if (isPersonNeeded) throw new Error(signInFirst(server), { cause });
  throw cause;
}

const signInFirst = (server: string): string => `there is no valid sign-in. Run: rxmcp login ${server}`;
