import type { Discovered } from './discover.js';
import type { Registration, Registrations } from './identity.js';
import type { AuthStore } from './store.js';
import { isExpired, type Tokens } from './tokens.js';

/** The version of what is kept. */
const schema = 1;

/** The sign-in at one MCP server, valid for the resource and the issuer that it contains. */
export interface Kept {
  readonly issuer: string;
  /** The client that the tokens belong to. */
  readonly registration: Registration;
  readonly tokens?: Tokens;
  readonly discovered: Discovered;
}

/** What is kept of an MCP server, in memory and as JSON in a store, which also has an entry for the client at each issuer. */
export class KeptSignIn implements Registrations {
  current: Kept | undefined;

  constructor(
    private readonly store: AuthStore,
    private readonly server: string,
  ) {}

  get tokens(): Tokens | undefined {
    return this.current?.tokens;
  }

  get isValid(): boolean {
    return this.tokens !== undefined && !isExpired(this.tokens);
  }

  /** Runs one action at a time for the server. */
  lock<T>(action: () => Promise<T>): Promise<T> {
    return this.store.lock?.(this.server, action) ?? action();
  }

  /** Replaces what is kept. */
  async keep(kept: Kept): Promise<void> {
    this.current = kept;
    // A token that is bound to a key in memory is of no use to others.
    const { tokens, ...rest } = kept;
    await this.#write(this.server, tokens?.isBound === true ? rest : kept);
  }

  /** Takes what is in the store, if it has anything. */
  async load(): Promise<void> {
    const found = await this.#read<Kept>(this.server);
    if (found === undefined) return;
    // Tokens that are bound to a key are in memory only. Without others another process has signed out.
    if (found.tokens !== undefined || this.tokens?.isBound !== true) this.current = found;
  }

  async registration(issuer: string): Promise<Registration | undefined> {
    return (await this.#read<Pick<Kept, 'registration'>>(clientAt(issuer)))?.registration;
  }

  async setRegistration(issuer: string, registration: Registration | undefined): Promise<void> {
    if (registration === undefined) await this.store.set(clientAt(issuer), undefined);
    else await this.#write(clientAt(issuer), { registration });
  }

  async #write(key: string, entry: object): Promise<void> {
    await this.store.set(key, JSON.stringify({ schema, ...entry }));
  }

  /** What a later version wrote is not for this one. */
  async #read<T extends object>(key: string): Promise<T | undefined> {
    const text = await this.store.get(key);
    try {
      const entry = JSON.parse(text ?? 'null') as (T & { readonly schema?: unknown }) | null;
      return entry?.schema === schema ? entry : undefined;
    } catch {
      return undefined;
    }
  }
}

const clientAt = (issuer: string): string => `client ${issuer}`;
