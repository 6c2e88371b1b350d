import type { CallerIdentity } from './caller-identity.js';
import { setUnrefTimeout } from '../base/timers.js';

/** How long calls may take that run when the credentials expire they were made with, in milliseconds. */
export const runningCallsMs = 300_000;
const pollMs = 1_000;

/** Ends what a caller has opened when its credentials expire, unless the same caller comes with later ones. */
export class CredentialExpiry {
  #at: number;
  /** The scopes that later credentials need. */
  #scopes: readonly string[];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param expired Called once, at the expiry of the last credentials. Never for those that do not expire.
   * @param isCalling Whether calls run, which delay that for at most {@link runningCallsMs}.
   */
  constructor(
    private readonly opener: CallerIdentity,
    private readonly expired: () => void,
    private readonly isCalling = (): boolean => false,
  ) {
    this.#at = opener.expiresAt ?? Infinity;
    this.#scopes = opener.scopes ?? [];
    this.#wait();
  }

  /** Extends it by other credentials of the same principal, where their scopes include those of what is open. */
  renew(caller: CallerIdentity | undefined): void {
    if (this.#at === Infinity || caller === undefined || caller === this.opener) return;
    const { expiresAt = Infinity } = caller;
    // The running timer finds the later time.
    if (expiresAt > this.#at && this.#scopes.every((scope) => caller.scopes?.includes(scope)))
      this.#at = expiresAt;
  }

  /** Ends it also with the credentials of a message that begins a watch, where they have more scopes. Later ones need these too. */
  received(message: unknown, caller: CallerIdentity | undefined): void {
    if (caller === undefined || caller === this.opener || ![message].flat().some(beginsWatch)) return;
    const { scopes = [], expiresAt = Infinity } = caller;
    const more = scopes.filter((scope) => !this.#scopes.includes(scope));
    if (more.length === 0) return;
    this.#scopes = [...this.#scopes, ...more];
    if (expiresAt >= this.#at) return;
    this.#at = expiresAt;
    this.stop();
    this.#wait();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(): void {
    if (this.#at === Infinity) return;
    const late = (): void => {
      const lateMs = Date.now() - this.#at;
      if (lateMs < 0) this.#wait();
      else if (lateMs < runningCallsMs && this.isCalling()) this.#timer = setUnrefTimeout(late, pollMs);
      else this.expired();
    };
    this.#timer = setUnrefTimeout(late, this.#at - Date.now());
  }
}

function beginsWatch(message: unknown): boolean {
  return (message as { method?: unknown } | null)?.method === 'resources/subscribe';
}
