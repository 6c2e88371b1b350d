import type { Challenge } from './challenge.js';
import type { Discovered } from './discover.js';
import { AuthError, quote } from './errors.js';
import type { OAuthOptions } from './options.js';
import type { Tokens } from './tokens.js';

/** How often a sign-in follows the same scopes of a 403. */
const maxSame = 3;
/** How many sign-ins follow a 403, in all. */
const maxStepUps = 10;
/** How often a person is sent to sign in for nothing: it fails, or replaces a token that did not have to expire yet. */
const maxSignIns = 10;

/**
 * Returns the scopes of the options and of the challenge, else of the resource. Without a person those of the options only: the
 * server must not choose what it gets. MCP 2025-11-25, basic, authorization, scope selection.
 */
export function requestedScopes(
  { scopes: own, grant }: OAuthOptions,
  { scopes, server }: Discovered,
  { scope }: Challenge,
): readonly string[] | undefined {
  if (grant !== undefined && own !== undefined) return own;
  const wanted = scope?.split(' ') ?? own ?? scopes;
  const isOffline = grant === undefined && server.scopes_supported?.includes('offline_access') === true;
  const offline = isOffline ? ['offline_access'] : [];
  return wanted === undefined && !isOffline
    ? undefined
    : [...new Set([...(own ?? []), ...(wanted ?? []), ...offline])];
}

/** Limits how often a server can ask for more scopes, and have a person sign in for nothing, until the program signs in or out. No response of the server ends that. */
export class StepUps {
  /** The scopes that each was for. */
  #begun: string[] = [];
  #opened = 0;

  constructor(
    private readonly origin: string,
    private readonly options: OAuthOptions,
  ) {}

  /** Returns the scopes to sign in with after a 403, and counts it. Throws an AuthError. */
  begin({ scope = '' }: Challenge, { scopes: has = [], requested = [] }: Partial<Tokens> = {}): string {
    const { grant, scopes: allowed } = this.options;
    const other = scope.split(' ').find((one) => one !== '' && allowed?.includes(one) === false);
    if (grant !== undefined && other !== undefined)
      throw this.#rejected(
        `requires the scope ${quote(other)}, which is not in "scopes". Add it there to request it without a person`,
      );
    const scopes = [...new Set([...requested, ...has, ...scope.split(' ')])].filter((one) => one !== '');
    // The scopes that an operation needs stand for it: what needs others has its own count.
    if (this.#begun.filter((one) => one === scope).length >= maxSame)
      throw this.#rejected(
        `still rejects the request after signing in with ${quote(scopes.join(' '))}. Ask its operator for these scopes, and call signIn`,
      );
    if (this.#begun.length >= maxStepUps)
      throw this.#rejected(`required more scopes ${maxStepUps} times. Call signIn or signOut to allow more`);
    this.#begun.push(scope);
    return scopes.join(' ');
  }

  /** Throws an AuthError where a person has signed in for nothing too often. */
  allow(): void {
    if (this.#opened >= maxSignIns)
      throw new AuthError(
        'TOKEN_REJECTED',
        `${maxSignIns} sign-ins to ${this.origin} were of no use. Check its authorization server, and call signIn`,
      );
  }

  /** A person is sent to sign in. */
  opened(): void {
    this.#opened += 1;
  }

  /** That was needed, and gave a token. */
  helped(): void {
    if (this.#opened > 0) this.#opened -= 1;
  }

  reset(): void {
    this.#begun = [];
    this.#opened = 0;
  }

  #rejected(why: string): AuthError {
    return new AuthError('INSUFFICIENT_SCOPE', `${this.origin} ${why}`);
  }
}
