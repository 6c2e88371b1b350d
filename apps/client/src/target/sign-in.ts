import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Auth, OAuthOptions } from 'rxmcp/auth';
import type { Authorizer } from 'rxmcp/transport';

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
 * Adds the tokens of `rxmcp login` to requests. It asks no person: where a token is missing, it says which command
 * signs in. Nothing of OAuth is loaded before there is a sign-in.
 */
export function keptSignIn(env: NodeJS.ProcessEnv): Authorizer {
  const exists = (): boolean => existsSync(signInsFile(env));
  let loading: Promise<Auth> | undefined;
  const auth = (): Promise<Auth> => (loading ??= loadAuth(env));
  return {
    async headers(request) {
      if (!exists()) return {};
      const { server = request.url } = request;
      return (await auth()).headers(request).catch((cause: unknown) => needsPerson(cause, server));
    },
    async challenged(request, response) {
      const { server = request.url } = request;
      // More scopes are a decision of the person, who can pass them to `login`.
      if (response.status === 403) return false;
      if (!exists()) throw new Error(signInFirst(server));
      return (await auth())
        .challenged(request, response)
        .catch((cause: unknown) => needsPerson(cause, server));
    },
    isWaiting: () => false,
  };
}

async function needsPerson(cause: unknown, server: string): Promise<never> {
  const { AuthError } = await import('rxmcp/auth');
  const isPersonNeeded = AuthError.is(cause, 'CLIENT_UNKNOWN') || AuthError.is(cause, 'TOKEN_REJECTED');
  if (isPersonNeeded) throw new Error(signInFirst(server), { cause });
  throw cause;
}

const signInFirst = (server: string): string => `there is no valid sign-in. Run: rxmcp login ${server}`;
