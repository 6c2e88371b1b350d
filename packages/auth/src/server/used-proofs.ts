const sweepMs = 60_000;

/**
 * The proofs that were used and would be accepted again, by caller. Where there is no room, a caller with at least as many as the
 * average loses its oldest one, so that no caller makes room with the proofs of those that have few.
 */
export class UsedProofs {
  readonly #callers = new Map<string, Map<string, number>>();
  #size = 0;
  #sweepAt = 0;
  /** The caller that lost one last. It is not looked for again while it has more than the average. */
  #loser = '';

  constructor(private readonly maxProofs: number) {}

  /** Whether a proof is new. It is remembered until a time, in milliseconds since 1970. */
  isFirst(caller: string, proof: string, until: number): boolean {
    const known = this.#callers.get(caller)?.get(proof);
    if (known !== undefined && known > Date.now()) return false;
    if (known !== undefined) this.#forget(caller, proof);
    if (this.#size >= this.maxProofs) this.#sweep();
    if (this.#size >= this.maxProofs) this.#forgetOne();
    const own = this.#callers.get(caller) ?? new Map<string, number>();
    this.#callers.set(caller, own.set(proof, until));
    this.#size += 1;
    return true;
  }

  #sweep(): void {
    const now = Date.now();
    if (now < this.#sweepAt) return;
    this.#sweepAt = now + sweepMs;
    for (const [caller, own] of this.#callers)
      for (const [proof, until] of own) if (until <= now) this.#forget(caller, proof);
  }

  #forgetOne(): void {
    const average = this.#size / this.#callers.size;
    const has = (caller: string): boolean => (this.#callers.get(caller)?.size ?? 0) >= average;
    if (!has(this.#loser)) this.#loser = firstOf(this.#callers.keys(), has);
    const [oldest = ''] = this.#callers.get(this.#loser)?.keys() ?? [];
    this.#forget(this.#loser, oldest);
  }

  #forget(caller: string, proof: string): void {
    const own = this.#callers.get(caller);
    if (own?.delete(proof) !== true) return;
    this.#size -= 1;
    if (own.size === 0) this.#callers.delete(caller);
  }
}

function firstOf(callers: Iterable<string>, has: (caller: string) => boolean): string {
  for (const caller of callers) if (has(caller)) return caller;
  return '';
}
