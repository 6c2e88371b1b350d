import type { Tokens } from './tokens.js';
import type { AuthError } from './errors.js';

/** What signing in to a server is doing. */
export type AuthStatus =
  | { readonly state: 'signed-out' }
  | { readonly state: 'discovering' | 'registering' | 'waiting-for-user' | 'exchanging' | 'refreshing' }
  | {
      readonly state: 'authorized';
      readonly scopes: readonly string[];
      /** In milliseconds since 1970; absent where the server does not say it. */
      readonly expiresAt?: number;
    }
  | { readonly state: 'failed'; readonly error: AuthError };

export function authorizedWith({ scopes, expiresAt }: Tokens): AuthStatus {
  return { state: 'authorized', scopes, ...(expiresAt === undefined ? {} : { expiresAt }) };
}
