import { RxmcpError, RpcError } from '@rxmcp/core';

const minuteMs = 60_000;
/** The error code for a peer that exceeds the rate. */
const overloaded = -31_001;

interface Bucket {
  left: number;
  at: number;
}

/** A token bucket per key; used tokens are restored evenly over a minute. */
export class TokenMeter {
  readonly #buckets = new Map<string, Bucket>();

  constructor(
    private readonly perMinute: number,
    private readonly maxKeys: number,
  ) {}

  /** Takes tokens from the budget. Throws the error for the server if too few are left. */
  take(key: string, tokens: number): void {
    if (this.perMinute === Infinity) return;
    if (tokens > this.perMinute) {
      const message = `the request was rejected: it may use ${tokens} tokens, more than ${this.perMinute} per minute`;
      throw new RxmcpError('ASK_REJECTED', message);
    }
    const bucket = this.#bucket(key);
    if (bucket.left >= tokens) {
      bucket.left -= tokens;
      return;
    }
    const retryAfterMs = Math.max(1, Math.ceil(((tokens - bucket.left) * minuteMs) / this.perMinute));
    throw new RpcError(overloaded, `the limit of ${this.perMinute} tokens per minute is reached`, {
      retryable: true,
      retryAfterMs,
    });
  }

  /** Returns unused tokens; a negative number takes more. */
  giveBack(key: string, tokens: number): void {
    if (this.perMinute === Infinity) return;
    const bucket = this.#bucket(key);
    bucket.left = Math.min(this.perMinute, bucket.left + tokens);
  }

  #bucket(key: string): Bucket {
    const at = performance.now();
    const known = this.#buckets.get(key);
    const bucket = known ?? { left: this.perMinute, at };
    bucket.left = Math.min(this.perMinute, bucket.left + ((at - bucket.at) * this.perMinute) / minuteMs);
    bucket.at = at;
    // Moved to the end, so that the first entry is the least recently used.
    if (known !== undefined) this.#buckets.delete(key);
    else if (this.#buckets.size >= this.maxKeys)
      this.#buckets.delete(this.#buckets.keys().next().value as string);
    this.#buckets.set(key, bucket);
    return bucket;
  }
}
