import type { CallerIdentity } from './caller-identity.js';
import { setUnrefTimeout } from './timers.js';

/** How long calls may take that run when the credentials expire they were made with, in milliseconds. */
export const runningCallsMs = 300_000;
const pollMs = 1_000;

/** Ends what a caller has opened when its credentials expire, unless the same caller comes with later ones. */
export class CredentialExpiry {
  private at: number;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param expired Called once, at the expiry of the last credentials. Never for those that do not expire.
   * @param isCalling Whether calls run, which delay that for at most {@link runningCallsMs}.
   */
  constructor(
    private readonly opener: CallerIdentity | undefined,
    private readonly expired: () => void,
    private readonly isCalling = (): boolean => false,
  ) {
    this.at = opener?.expiresAt ?? Infinity;
    this.wait();
  }

  /** Extends it by other credentials of the same principal, where their scopes include those of the first. */
  renew(caller: CallerIdentity | undefined): void {
    if (this.at === Infinity || caller === undefined || caller === this.opener) return;
    const { expiresAt = Infinity } = caller;
    const { scopes = [] } = this.opener ?? {};
    // The running timer finds the later time.
    if (expiresAt > this.at && scopes.every((scope) => caller.scopes?.includes(scope))) this.at = expiresAt;
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private wait(): void {
    if (this.at === Infinity) return;
    const late = (): void => {
      const lateMs = Date.now() - this.at;
      if (lateMs < 0) this.wait();
      else if (lateMs < runningCallsMs && this.isCalling()) this.timer = setUnrefTimeout(late, pollMs);
      else this.expired();
    };
    this.timer = setUnrefTimeout(late, this.at - Date.now());
  }
}
