import { RxmcpError, RpcError } from '@rxmcp/core';

const minuteMs = 60_000;
/** The error code for a peer that exceeds the rate. */
const overloaded = -31_001;

interface Bucket {
  left: number;
  at: number;
}

/** Tokens per key and minute; what was used comes back evenly. */
export class TokenMeter {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    private readonly perMinute: number,
    private readonly maxKeys: number,
  ) {}

  /** Takes tokens from the budget. Throws the error for the server if too few are left. */
  take(key: string, tokens: number): void {
    if (this.perMinute === Infinity) return;
    if (tokens > this.perMinute) {
      const message = `the request was rejected: it may take ${tokens} tokens, where ${this.perMinute} are for a minute`;
      throw new RxmcpError('ASK_REJECTED', message);
    }
    const bucket = this.bucket(key);
    if (bucket.left >= tokens) {
      bucket.left -= tokens;
      return;
    }
    const retryAfterMs = Math.max(1, Math.ceil(((tokens - bucket.left) * minuteMs) / this.perMinute));
    throw new RpcError(overloaded, `more than ${this.perMinute} tokens in a minute`, {
      retryable: true,
      retryAfterMs,
    });
  }

  /** What was taken and not used; negative where more was used. */
  giveBack(key: string, tokens: number): void {
    if (this.perMinute === Infinity) return;
    const bucket = this.bucket(key);
    bucket.left = Math.min(this.perMinute, bucket.left + tokens);
  }

  private bucket(key: string): Bucket {
    const at = performance.now();
    const known = this.buckets.get(key);
    const bucket = known ?? { left: this.perMinute, at };
    bucket.left = Math.min(this.perMinute, bucket.left + ((at - bucket.at) * this.perMinute) / minuteMs);
    bucket.at = at;
    // Put last again, so that the first is the one that rested longest.
    if (known !== undefined) this.buckets.delete(key);
    else if (this.buckets.size >= this.maxKeys)
      this.buckets.delete(this.buckets.keys().next().value as string);
    this.buckets.set(key, bucket);
    return bucket;
  }
}
