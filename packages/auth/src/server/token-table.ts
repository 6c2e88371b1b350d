import type { CallerIdentity } from '@rxmcp/transport/guard';

/** Returns the caller of a token; `undefined` where it is invalid. Rejects where that cannot be found out. */
export type FindCaller = (token: string) => Promise<CallerIdentity | undefined>;

const maxClaimsBytes = 16 * 1024;
const maxRefusedTokens = 1_000;
const refusedMs = 10_000;
const verifyWithinMs = 10_000;

/**
 * The callers of tokens, by the digest of the token: of valid ones until they expire, of invalid ones for 10 s. Requests with one token
 * share one verification.
 */
export class TokenTable {
  private readonly running = new Map<string, Promise<CallerIdentity | undefined>>();
  private readonly valid: BoundedMap<CallerIdentity>;
  // Apart, so that a flood of invalid tokens removes no valid one.
  private readonly refused = new BoundedMap<true>(maxRefusedTokens);

  constructor(
    maxValid: number,
    private readonly find: FindCaller,
  ) {
    this.valid = new BoundedMap(maxValid);
  }

  /** Returns the caller of a token; `undefined` where it is invalid. Rejects where that is not known within 10 s. */
  async callerOf(token: string): Promise<CallerIdentity | undefined> {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
    const key = String.fromCharCode(...new Uint8Array(digest));
    const caller = this.valid.get(key);
    if (caller !== undefined || this.refused.get(key) === true) return caller;
    let run = this.running.get(key);
    if (run === undefined) {
      run = this.verified(key, token).finally(() => this.running.delete(key));
      this.running.set(key, run);
    }
    return run;
  }

  private async verified(key: string, token: string): Promise<CallerIdentity | undefined> {
    const caller = await inTime(this.find(token));
    const exp = caller?.claims?.['exp'];
    if (caller === undefined) this.refused.add(key, true, Date.now() + refusedMs);
    else if (typeof exp === 'number' && bytesOf(caller.claims) <= maxClaimsBytes)
      this.valid.add(key, caller, exp * 1_000);
    return caller;
  }
}

/** Values until a time. The oldest makes room for a new one. */
class BoundedMap<T> {
  private readonly entries = new Map<string, { readonly value: T; readonly until: number }>();

  constructor(private readonly maxEntries: number) {}

  get(key: string): T | undefined {
    const found = this.entries.get(key);
    if (found === undefined || found.until > Date.now()) return found?.value;
    this.entries.delete(key);
    return undefined;
  }

  add(key: string, value: T, until: number): void {
    if (this.maxEntries < 1) return;
    this.entries.delete(key);
    for (const oldest of this.entries.keys()) {
      if (this.entries.size < this.maxEntries) break;
      this.entries.delete(oldest);
    }
    this.entries.set(key, { value, until });
  }
}

function bytesOf(claims: unknown): number {
  return new TextEncoder().encode(JSON.stringify(claims)).length;
}

/** A verification that never ends would otherwise make all requests with its token wait. */
function inTime<T>(found: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const failed = (): void => reject(new Error('verifying a token took longer than 10 s'));
    const alarm = setTimeout(failed, verifyWithinMs);
    void found.then(resolve, reject).finally(() => clearTimeout(alarm));
  });
}
