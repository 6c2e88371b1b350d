import type { CallerIdentity, ClientAddress, RequestHead } from '@rxmcp/transport/guard';
import { addressOf, holderName, Shares } from '@rxmcp/transport/internal';
import { BoundedMap, digestOf } from './bounded-map.js';

/** Returns the caller of a token; `undefined` where it is invalid. Rejects where that cannot be found out. */
export type FindCaller = (token: string) => Promise<CallerIdentity | undefined>;

const maxClaimsBytes = 16 * 1024;
const maxRejectedTokens = 1_000;
const rejectedMs = 10_000;
const verifyWithinMs = 10_000;
const maxVerifications = 500;

/** Too many tokens are being verified. Its message is safe to show. */
export class VerificationLimit extends Error {}

/** A token and its caller, until it expires. */
interface Known {
  readonly token: string;
  readonly caller: CallerIdentity;
  readonly until: number;
}

/**
 * The callers of tokens, by the digest of the token: of valid ones until they expire, of invalid ones for 10 s. Requests with one token
 * share one verification. A connection usually sends one token with all its requests, so the last one is compared before its digest is
 * made, which takes longer than all the rest.
 */
export class TokenTable {
  readonly #running = new Map<string, Promise<CallerIdentity | undefined>>();
  readonly #verifying = new Shares(maxVerifications);
  readonly #valid: BoundedMap<CallerIdentity>;
  // Apart, so that a flood of invalid tokens removes no valid one.
  readonly #rejected = new BoundedMap<true>(maxRejectedTokens);
  readonly #last = new WeakMap<object, Known>();

  constructor(
    maxValid: number,
    private readonly find: FindCaller,
  ) {
    this.#valid = new BoundedMap(maxValid);
  }

  /**
   * Returns the caller of a token, at once where it is known; `undefined` where the token is invalid. Rejects where that is not known
   * within 10 s, and with a {@link VerificationLimit} where 500 others are verified, or 250 from the same address.
   */
  callerOf(
    token: string,
    head: RequestHead,
    clientAddress?: ClientAddress,
  ): CallerIdentity | undefined | Promise<CallerIdentity | undefined> {
    const { connection } = head;
    const last = connection === undefined ? undefined : this.#last.get(connection);
    if (last?.token === token && last.until > Date.now()) return last.caller;
    const key = digestOf(token);
    if (typeof key !== 'string') return key.then((digest) => this.#byKey(digest, token, head, clientAddress));
    const known = this.#valid.get(key);
    if (known === undefined || connection === undefined) return this.#byKey(key, token, head, clientAddress);
    this.#last.set(connection, { token, caller: known.value, until: known.until });
    return known.value;
  }

  #byKey(
    key: string,
    token: string,
    head: RequestHead,
    clientAddress: ClientAddress | undefined,
  ): CallerIdentity | undefined | Promise<CallerIdentity | undefined> {
    const caller = this.#valid.get(key)?.value;
    if (caller !== undefined || this.#rejected.get(key) !== undefined) return caller;
    let run = this.#running.get(key);
    if (run === undefined) {
      const holder = holderName(undefined, addressOf(head, clientAddress));
      if (!this.#verifying.tryAdd(holder)) return Promise.reject(new VerificationLimit(this.#limit));
      run = this.#verified(key, token).finally(() => {
        this.#running.delete(key);
        this.#verifying.remove(holder);
      });
      this.#running.set(key, run);
    }
    return run;
  }

  /** The limit that is reached: that of all, or of one address. */
  get #limit(): string {
    return this.#verifying.size >= maxVerifications
      ? `${maxVerifications} access tokens are being verified already. Try again`
      : `access tokens from this address are being verified already, as many as its share of ${maxVerifications} allows. Try again. Behind a proxy the server needs "clientAddress"`;
  }

  async #verified(key: string, token: string): Promise<CallerIdentity | undefined> {
    const caller = await inTime(this.find(token));
    const exp = caller?.claims?.['exp'];
    if (caller === undefined) this.#rejected.add(key, true, Date.now() + rejectedMs);
    else if (typeof exp === 'number' && bytesOf(caller.claims) <= maxClaimsBytes)
      this.#valid.add(key, caller, exp * 1_000);
    return caller;
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
