import { type Status, status } from '@rxmcp/core/internal';
import type { AuthorizationChallenge, AuthorizedRequest } from '@rxmcp/transport';
import { defaultFetch } from '@rxmcp/transport/internal';
import { type Challenge, parseChallenge } from './challenge.js';
import { requireCodeFlow, resumedSignIn, signInWithCode } from './code-flow.js';
import { canonical, type Discovered, discover, nameOf } from './discover.js';
import { asAuthError, AuthError } from './errors.js';
import { identify, knownAt } from './identity.js';
import { type Kept, KeptSignIn } from './kept.js';
import type { OAuthOptions, RedirectSession, SignInOptions } from './options.js';
import { Proofs } from './proofs.js';
import { isUnknownClient } from './rejection.js';
import { GuardedFetch } from './requests.js';
import { requestedScopes, StepUps } from './scopes.js';
import type { AuthStore } from './store.js';
import { type AuthStatus, authorizedWith } from './status.js';
import { isOld, isShort, refresh, requestGrant, revoke, type TokenContext, type Tokens } from './tokens.js';

/** Signs in to one server: one flow at a time, for all callers that wait for it. */
export class Realm {
  readonly status: Status<AuthStatus> = status<AuthStatus>({ state: 'signed-out' });
  #loaded: Promise<void> | undefined;
  #flow: Promise<void> | undefined;
  /** How the current token was had. */
  #lastFlow: 'refresh' | 'sign-in' | undefined;
  /** The token that the server did not accept when it was new. */
  #rejected: string | undefined;
  readonly #stepUps: StepUps;
  readonly #proofs = new Proofs();
  readonly #http: GuardedFetch;
  readonly #kept: KeptSignIn;
  #isStarting = false;

  constructor(
    private readonly url: URL,
    private readonly options: OAuthOptions,
    store: AuthStore,
  ) {
    this.#kept = new KeptSignIn(store, canonical(url));
    this.#stepUps = new StepUps(url.origin, options);
    this.#http = new GuardedFetch(options.fetch ?? defaultFetch, url);
  }

  get isWaiting(): boolean {
    return this.#isStarting || this.status.value.state === 'waiting-for-user';
  }

  /** The headers of a request: none before the first sign-in, since only the server knows whether it requires one. */
  async headers(request: AuthorizedRequest): Promise<Record<string, string>> {
    await this.#ready();
    // A request with a valid token does not wait for a person who gives more scopes.
    if (this.#flow !== undefined && !this.#kept.isValid) await this.#flow;
    const tokens = this.#kept.tokens;
    if (tokens === undefined) return {};
    if (isOld(tokens) && this.#canRenew(tokens))
      await this.#renew(tokens, {}).catch((error: unknown) => {
        // Early: the token may be used until it ends.
        if (!this.#kept.isValid) throw error;
      });
    const current = this.#kept.tokens;
    return current === undefined ? {} : this.#proofs.credentials(request, current);
  }

  /** Resolves with whether the request may be sent again. */
  async challenged(
    request: AuthorizedRequest,
    { status, headers, sent, attempt }: AuthorizationChallenge,
  ): Promise<boolean> {
    const tokens = this.#kept.tokens;
    const challenge = parseChallenge(headers.get('www-authenticate'));
    // Another request was first.
    if (tokens !== undefined && !sent['authorization']?.endsWith(` ${tokens.accessToken}`)) return true;
    const isCorrected = tokens && (await this.#proofs.corrected(request, tokens, challenge.error, headers));
    if (isCorrected === true) return true;
    if (isCorrected === false) {
      const why = `${this.url.origin} rejects the proof of possession. Check that this address is the one in its metadata, and the clock of this machine`;
      throw this.#failed(new AuthError('PROOF_REJECTED', why));
    }
    if (status === 403) return challenge.error === 'insufficient_scope' && this.#stepUp(challenge);
    // A refreshed token that is rejected may be of an authorization server that is no longer in use: one sign-in finds that out.
    const isAgain = attempt > 1 && this.#lastFlow === 'refresh';
    const isRejected = tokens !== undefined && tokens.accessToken === this.#rejected;
    if (isRejected || (tokens !== undefined && attempt > 1 && !isAgain)) {
      // Later requests with it must not ask a person again.
      this.#rejected = tokens?.accessToken;
      throw this.#failed(
        new AuthError(
          'TOKEN_REJECTED',
          `${this.url.origin} does not accept the token that it was just given. Check the authorization server and the resource in its metadata, and call signIn`,
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
    const tokens = this.#kept.tokens;
    if (again || scopes.some((scope) => tokens?.scopes.includes(scope) !== true)) {
      const scope = this.#stepUps.begin({ scope: scopes.join(' ') }, scopes.length === 0 ? {} : tokens);
      return this.#run(() => this.#signIn({ scope: scope || undefined }));
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
      had = this.#kept.current;
      if (had?.tokens === undefined) return;
      const { tokens: _, ...rest } = had;
      await this.#kept.keep(rest);
      this.status.set({ state: 'signed-out' });
    });
    if (had?.tokens !== undefined) await revoke(await this.#context(had, undefined), had.tokens);
  }

  async #stepUp(challenge: Challenge): Promise<boolean> {
    // It may give what is missing here too: only a flow that this request starts counts.
    if (this.#flow !== undefined) return this.#flow.then(() => true);
    const old = this.#kept.tokens?.accessToken;
    await this.#run(async () => {
      await this.#load();
      const now = this.#kept.tokens;
      // Unless another process was first.
      if (now?.accessToken === old) await this.#signIn({ scope: this.#stepUps.begin(challenge, now) }, true);
    });
    return true;
  }

  /** Loads what is kept, and completes the sign-in that this page has come back from. */
  #ready(): Promise<void> {
    return (this.#loaded ??= this.#load()
      .then(() => this.#comeBack())
      .catch((cause: unknown) => {
        // A store that has failed is read again.
        this.#loaded = undefined;
        throw asAuthError(this.url.origin, cause);
      }));
  }

  async #comeBack(): Promise<void> {
    const { current, tokens, isValid } = this.#kept;
    if (current === undefined || !(isValid || (tokens !== undefined && this.#canRenew(tokens)))) return;
    const { discovered } = current;
    // The token that there is stays usable where that fails. Without one, the next 401 completes it.
    if (this.options.redirect?.isBack?.(nameOf(discovered)) === true)
      await this.#run(() => this.#signIn({}, false, discovered)).catch(() => undefined);
  }

  #canRenew({ refreshToken }: Tokens): boolean {
    return refreshToken !== undefined || this.options.grant !== undefined;
  }

  /** Refreshes, or signs in anew. Joins the flow that runs. */
  #renew(old: Tokens | undefined, challenge: Challenge): Promise<void> {
    return this.#run(async () => {
      await this.#load();
      const { current: kept, tokens: now } = this.#kept;
      // Another process, or the flow before, was first.
      if (now !== undefined && now.accessToken !== old?.accessToken) return;
      if (kept !== undefined && now?.refreshToken !== undefined) {
        this.status.set({ state: 'refreshing' });
        const context = await this.#context(kept, now.scopes);
        const fresh = await refresh(context, now.refreshToken).catch(async (error: unknown) => {
          // A server that is down has not ended the sign-in.
          if (!AuthError.is(error) || !error.isRejected) throw error;
          if (isUnknownClient(error)) await this.#kept.setRegistration(kept.issuer, undefined);
        });
        if (fresh !== undefined) {
          await this.#load();
          // Another process has signed out meanwhile, or renewed them in a store without a lock.
          if (this.#kept.tokens?.accessToken !== now.accessToken) return;
          this.#lastFlow = 'refresh';
          return this.#authorized({ ...kept, tokens: { requested: now.requested ?? [], ...fresh } });
        }
      }
      await this.#replace(challenge);
    });
  }

  async #replace(challenge: Challenge): Promise<void> {
    const { tokens, isValid } = this.#kept;
    await this.#signIn(challenge, isValid || (tokens !== undefined && isShort(tokens)));
  }

  async #run(flow: () => Promise<void>): Promise<void> {
    this.#flow ??= this.#kept
      .lock(flow)
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

  /**
   * @param isEarly Whether the tokens that there are did not have to expire yet.
   * @param known What discovery found before.
   */
  async #signIn(challenge: Challenge, isEarly = false, known?: Discovered): Promise<void> {
    const { grant } = this.options;
    if (grant === undefined) this.#stepUps.allow();
    this.#lastFlow = 'sign-in';
    this.status.set({ state: 'discovering' });
    const discovered = known ?? (await discover(this.url, challenge, this.#http));
    const { server } = discovered;
    const { current } = this.#kept;
    const before = current?.issuer === server.issuer ? current : undefined;
    if (grant === undefined) requireCodeFlow(this.url, server, this.options.redirect);
    const session = grant === undefined ? await this.#start(nameOf(discovered)) : undefined;
    try {
      const begun = session === undefined ? undefined : resumedSignIn(session);
      this.status.set({ state: 'registering' });
      const registration =
        begun?.registration ??
        (await identify(discovered, this.options, this.#kept, session?.redirectUri, this.#http));
      const kept: Kept = { issuer: server.issuer, registration, discovered };
      const scopes =
        begun === undefined ? requestedScopes(this.options, discovered, challenge) : begun.scopes;
      const context = await this.#context(kept, scopes);
      if (grant !== undefined || session === undefined) {
        this.status.set({ state: 'exchanging' });
        return await this.#authorized({ ...kept, tokens: await requestGrant(context, grant as never) });
      }
      // What is had so far stays until there is something new: the person may say no. A store that cannot be written fails now.
      await this.#kept.keep(before?.tokens === undefined ? kept : before);
      if (begun === undefined) {
        this.#stepUps.opened();
        this.status.set({ state: 'waiting-for-user' });
      }
      const exchanging = (): void => this.status.set({ state: 'exchanging' });
      const signedIn = signInWithCode(context, session, begun, exchanging);
      const tokens = await signedIn.catch(async (error: unknown) => {
        // An authorization server that has forgotten the client may say so to the person only.
        if (AuthError.is(error, 'REDIRECT_FAILED') || isUnknownClient(error))
          await this.#kept.setRegistration(server.issuer, undefined);
        throw error;
      });
      if (!isEarly) this.#stepUps.helped();
      await this.#authorized({ ...kept, tokens });
    } finally {
      await session?.close?.();
    }
  }

  /** Begins the sign-in of a person, who may be asked first. */
  async #start(name: string): Promise<RedirectSession | undefined> {
    this.#isStarting = true;
    try {
      return await this.options.redirect?.start(name);
    } finally {
      this.#isStarting = false;
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
    await this.#kept.keep(kept);
    this.status.set(authorizedWith(kept.tokens));
  }

  async #load(): Promise<void> {
    const had = this.#kept.tokens;
    await this.#kept.load();
    const { tokens } = this.#kept;
    if (tokens?.accessToken === had?.accessToken) return;
    this.status.set(tokens === undefined ? { state: 'signed-out' } : authorizedWith(tokens));
  }
}
