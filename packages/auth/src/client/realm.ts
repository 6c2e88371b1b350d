import { type Status, status } from '@rxmcp/core/internal';
import type { AuthorizationChallenge, AuthorizedRequest } from '@rxmcp/transport';
import { type Challenge, parseChallenge } from './challenge.js';
import { requireCodeFlow, resumedSignIn, signInWithCode } from './code-flow.js';
import { canonical, type Discovered, discover, nameOf } from './discover.js';
import { asAuthError, AuthError } from './errors.js';
import { identify, knownAt } from './identity.js';
import { type Kept, keptOf, schema } from './kept.js';
import type { OAuthOptions, SignInOptions } from './options.js';
import { Proofs } from './proofs.js';
import { GuardedFetch } from './requests.js';
import { requestedScopes, StepUps } from './scopes.js';
import type { AuthStore } from './store.js';
import { type AuthStatus, authorizedWith } from './status.js';
import { isOld, refresh, requestGrant, revoke, type TokenContext, type Tokens } from './tokens.js';

/** Signs in to one server: one flow at a time, whoever waits for it. */
export class Realm {
  readonly status: Status<AuthStatus>;
  #kept: Kept | undefined;
  #loaded: Promise<void> | undefined;
  #flow: Promise<void> | undefined;
  /** How the current token was had. */
  #lastFlow: 'refresh' | 'sign-in' | undefined;
  /** The token that the server did not accept when it was new. */
  #rejected: string | undefined;
  readonly #stepUps: StepUps;
  readonly #proofs = new Proofs();
  readonly #http: GuardedFetch;
  readonly #key: string;

  constructor(
    private readonly url: URL,
    private readonly options: OAuthOptions,
    private readonly store: AuthStore,
  ) {
    this.#key = canonical(url);
    this.#stepUps = new StepUps(url.origin, options);
    this.#http = new GuardedFetch(options.fetch ?? ((target, init) => globalThis.fetch(target, init)), url);
    this.status = status<AuthStatus>({ state: 'signed-out' });
  }

  get #isValid(): boolean {
    const tokens = this.#kept?.tokens;
    return tokens !== undefined && (tokens.expiresAt === undefined || tokens.expiresAt > Date.now());
  }

  get isWaiting(): boolean {
    return this.status.value.state === 'waiting-for-user';
  }

  /** The headers of a request: none before the first sign-in, since only the server knows whether it wants one. */
  async headers(request: AuthorizedRequest): Promise<Record<string, string>> {
    await this.#ready();
    // A request with a valid token does not wait for a person who gives more scopes.
    if (this.#flow !== undefined && !this.#isValid) await this.#flow;
    const tokens = this.#kept?.tokens;
    if (tokens === undefined) return {};
    if (isOld(tokens) && this.#canRenew(tokens))
      await this.#renew(tokens, {}).catch((error: unknown) => {
        // Early: the token may be used until it ends.
        if (!this.#isValid) throw error;
      });
    return this.#headersWith(request);
  }

  /** Resolves with whether the request may be sent again. */
  async challenged(
    request: AuthorizedRequest,
    { status, headers, sent, attempt }: AuthorizationChallenge,
  ): Promise<boolean> {
    const tokens = this.#kept?.tokens;
    const challenge = parseChallenge(headers.get('www-authenticate'));
    const usesCurrent =
      tokens !== undefined && sent['authorization']?.endsWith(` ${tokens.accessToken}`) === true;
    // Another request was first.
    if (tokens !== undefined && !usesCurrent) return true;
    const nonce = headers.get('dpop-nonce');
    if (nonce !== null && tokens?.isBound === true && challenge.error === 'use_dpop_nonce') {
      await this.#proofs.headers(request, tokens.accessToken, nonce);
      return true;
    }
    if (tokens?.isBound === true && challenge.error === 'invalid_dpop_proof') {
      if (this.#proofs.adjust(headers)) return true;
      const why = `${this.url.origin} rejects the proof of possession. Check that this address is the one in its metadata, and the clock of this machine`;
      throw this.#failed(new AuthError('PROOF_REJECTED', why));
    }
    if (status === 403) {
      if (challenge.error !== 'insufficient_scope') return false;
      return this.#stepUp(challenge);
    }
    // A refreshed token that is rejected may be of an authorization server that is no longer in use: one sign-in finds that out.
    const isAgain = attempt > 1 && this.#lastFlow === 'refresh';
    const isRejected = tokens !== undefined && tokens.accessToken === this.#rejected;
    if (isRejected || (tokens !== undefined && attempt > 1 && !isAgain)) {
      // Later requests with it must not ask a person again.
      this.#rejected = tokens?.accessToken;
      throw this.#failed(
        new AuthError(
          'TOKEN_REJECTED',
          `${this.url.origin} does not accept the token that it was just given. Check the resource and the authorization server in its metadata, and sign in again`,
        ),
      );
    }
    await (isAgain ? this.#run(() => this.#replace(challenge)) : this.#renew(tokens, challenge));
    return true;
  }

  /** Signs in now, if that is needed or wanted again. */
  async signIn({ again = false, scopes = [] }: SignInOptions = {}): Promise<void> {
    this.#stepUps.reset();
    await this.#ready();
    const tokens = this.#kept?.tokens;
    if (again || scopes.some((scope) => tokens?.scopes.includes(scope) !== true)) {
      const scope = this.#stepUps.begin({ scope: scopes.join(' ') }, scopes.length === 0 ? {} : tokens);
      return this.#run(() => this.#signIn(scope === '' ? {} : { scope }));
    }
    if (tokens === undefined || isOld(tokens)) await this.#renew(tokens, {});
  }

  /** Forgets the tokens, and revokes them where the server can. */
  async signOut(): Promise<void> {
    this.#stepUps.reset();
    await this.#ready();
    // In a flow of its own, so that none renews what is being forgotten.
    while (this.#flow !== undefined) await this.#flow.catch(() => undefined);
    let had: Kept | undefined;
    await this.#run(async () => {
      await this.#load();
      had = this.#kept;
      if (had?.tokens === undefined) return;
      const { tokens: _, ...rest } = had;
      await this.#keep(rest);
      this.status.set({ state: 'signed-out' });
    });
    if (had?.tokens !== undefined) await revoke(await this.#context(had, undefined), had.tokens);
  }

  async #stepUp(challenge: Challenge): Promise<boolean> {
    // It may give what is missing here too: only a flow that this request starts counts.
    if (this.#flow !== undefined) return this.#flow.then(() => true);
    let scope: string;
    try {
      scope = this.#stepUps.begin(challenge, this.#kept?.tokens);
    } catch (error) {
      throw this.#failed(error);
    }
    await this.#run(() => this.#signIn({ scope }));
    return true;
  }

  /** Loads what is kept, and completes the sign-in that this page has come back from. */
  #ready(): Promise<void> {
    return (this.#loaded ??= this.#load().then(() => this.#comeBack()));
  }

  async #comeBack(): Promise<void> {
    const kept = this.#kept;
    const isUsable = this.#isValid || (kept?.tokens !== undefined && this.#canRenew(kept.tokens));
    if (!isUsable || kept === undefined || this.options.redirect?.isBack?.(nameOf(kept.discovered)) !== true)
      return;
    // The token that there is stays usable where that fails. Without one, the next 401 completes it.
    await this.#run(() => this.#signIn({}, kept.discovered)).catch(() => undefined);
  }

  #canRenew({ refreshToken }: Tokens): boolean {
    return refreshToken !== undefined || this.options.grant !== undefined;
  }

  /** Refreshes, or signs in anew. Joins the flow that runs. */
  #renew(old: Tokens | undefined, challenge: Challenge): Promise<void> {
    return this.#run(async () => {
      await this.#load();
      const kept = this.#kept;
      const now = kept?.tokens;
      // Another process, or the flow before, was first.
      if (now !== undefined && now.accessToken !== old?.accessToken) return;
      if (kept !== undefined && now?.refreshToken !== undefined) {
        this.status.set({ state: 'refreshing' });
        const context = await this.#context(kept, now.scopes);
        const fresh = await refresh(context, now.refreshToken).catch((error: unknown) => {
          // A server that is down has not ended the sign-in.
          if (!AuthError.is(error) || !error.isRefused) throw error;
        });
        if (fresh !== undefined) {
          // Another process has signed out meanwhile, or renewed them in a store without a lock.
          if (!(await this.#hasStored(now))) return this.#load();
          this.#lastFlow = 'refresh';
          return this.#authorized({ ...kept, tokens: { requested: now.requested ?? [], ...fresh } });
        }
      }
      await this.#replace(challenge);
    });
  }

  async #replace(challenge: Challenge): Promise<void> {
    // A server that rejects valid tokens must not open the browser without end.
    if (this.options.grant === undefined && this.#isValid) this.#stepUps.replace();
    await this.#signIn(challenge);
  }

  async #run(flow: () => Promise<void>): Promise<void> {
    const locked = () => this.store.lock?.(this.#key, flow) ?? flow();
    this.#flow ??= locked()
      .catch((error: unknown) => {
        throw this.#failed(error);
      })
      .finally(() => (this.#flow = undefined));
    await this.#flow;
  }

  #failed(cause: unknown): AuthError {
    const error = asAuthError(this.url.origin, cause);
    this.status.set({ state: 'failed', error });
    return error;
  }

  async #signIn(challenge: Challenge, known?: Discovered): Promise<void> {
    this.#lastFlow = 'sign-in';
    this.status.set({ state: 'discovering' });
    const discovered = known ?? (await discover(this.url, challenge, this.#http));
    const { server } = discovered;
    const before = this.#kept?.issuer === server.issuer ? this.#kept : undefined;
    const { redirect, grant } = this.options;
    if (grant === undefined) requireCodeFlow(this.url, server, redirect);
    const session = grant === undefined ? await redirect?.start(nameOf(discovered)) : undefined;
    try {
      const begun = session === undefined ? undefined : resumedSignIn(session);
      this.status.set({ state: 'registering' });
      const registration =
        begun?.registration ??
        (await identify(discovered, this.options, before?.registration, session?.redirectUri, this.#http));
      const kept: Kept = { schema, issuer: server.issuer, registration, discovered };
      const scopes =
        begun === undefined ? requestedScopes(this.options, discovered, challenge) : begun.scopes;
      const context = await this.#context(kept, scopes);
      if (grant !== undefined || session === undefined) {
        this.status.set({ state: 'exchanging' });
        return await this.#authorized({ ...kept, tokens: await requestGrant(context, grant as never) });
      }
      // What is had so far stays until there is something new: the person may say no. A store that cannot be written fails now.
      await this.#keep(before?.tokens === undefined ? kept : { ...kept, tokens: before.tokens });
      if (begun === undefined) this.status.set({ state: 'waiting-for-user' });
      const exchanging = (): void => this.status.set({ state: 'exchanging' });
      const tokens = await signInWithCode(context, session, begun, exchanging);
      await this.#authorized({ ...kept, tokens });
    } finally {
      await session?.close?.();
    }
  }

  async #context(kept: Kept, scopes: readonly string[] | undefined): Promise<TokenContext> {
    const { discovered, registration: client } = kept;
    const { server, resource } = discovered;
    const privateKey = knownAt(server, this.options.clients ?? [])?.privateKey;
    const dpop = this.options.dpop === true ? await this.#proofs.handle : undefined;
    return { server, client, privateKey, resource, scopes, dpop, proofs: this.#proofs, http: this.#http };
  }

  async #authorized(kept: Kept & { readonly tokens: Tokens }): Promise<void> {
    this.#rejected = undefined;
    await this.#keep(kept);
    this.status.set(authorizedWith(kept.tokens));
  }

  async #keep(kept: Kept): Promise<void> {
    this.#kept = kept;
    // A token that is bound to a key in memory is of no use to others.
    const { tokens, ...rest } = kept;
    await this.store.set(this.#key, JSON.stringify(tokens?.isBound === true ? rest : kept));
  }

  async #load(): Promise<void> {
    const found = keptOf(await this.store.get(this.#key));
    if (found === undefined) return;
    const { tokens } = found;
    const had = this.#kept?.tokens;
    // Tokens that are bound to a key are in memory only. Without others another process has signed out.
    if (tokens === undefined && had?.isBound === true) return;
    this.#kept = found;
    const { state } = this.status.value;
    if (tokens === undefined && had !== undefined) this.status.set({ state: 'signed-out' });
    if (tokens !== undefined && (state === 'signed-out' || state === 'refreshing'))
      this.status.set(authorizedWith(tokens));
  }

  async #hasStored({ isBound, accessToken }: Tokens): Promise<boolean> {
    return isBound === true || keptOf(await this.store.get(this.#key))?.tokens?.accessToken === accessToken;
  }

  async #headersWith(request: AuthorizedRequest): Promise<Record<string, string>> {
    const tokens = this.#kept?.tokens;
    if (tokens === undefined) return {};
    if (tokens.isBound !== true) return { authorization: `Bearer ${tokens.accessToken}` };
    return this.#proofs.headers(request, tokens.accessToken);
  }
}
