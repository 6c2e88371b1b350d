import type { CallerIdentity } from '@rxmcp/transport/guard';

/** The callers of verified tokens, by the digest of the token, until it expires. The oldest makes room for a new one. */
export class TokenTable {
  private readonly entries = new Map<string, { readonly caller: CallerIdentity; readonly until: number }>();

  constructor(private readonly maxEntries: number) {}

  async keyOf(token: string): Promise<string> {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
    return String.fromCharCode(...new Uint8Array(digest));
  }

  get(key: string): CallerIdentity | undefined {
    const found = this.entries.get(key);
    if (found === undefined || found.until > Date.now()) return found?.caller;
    this.entries.delete(key);
    return undefined;
  }

  /** Keeps a caller until `exp`, in seconds since 1970. One without it is not kept. */
  add(key: string, caller: CallerIdentity, exp: number | undefined): void {
    if (exp === undefined || this.maxEntries < 1) return;
    this.entries.delete(key);
    for (const oldest of this.entries.keys()) {
      if (this.entries.size < this.maxEntries) break;
      this.entries.delete(oldest);
    }
    this.entries.set(key, { caller, until: exp * 1_000 });
  }
}
