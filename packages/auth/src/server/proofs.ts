import type { RequestHead } from '@rxmcp/transport/guard';
import { base64url, calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from 'jose';
import { usualAlgorithms } from './algorithms.js';
import { digestOf, sha256 } from './bounded-map.js';

/** How proofs of possession are demanded. RFC 9449. */
export interface DpopOptions {
  /** Whether tokens that are not bound to a key are rejected. @default false */
  readonly required?: boolean;
  /**
   * Whether proofs need a nonce of this process, which changes every five minutes, instead of a time that is right within a minute.
   * @default false
   */
  readonly nonce?: boolean;
}

/** How far the time of a proof may be from the clock of this server. */
const windowMs = 60_000;
/** How much longer a proof is remembered than it is accepted. */
const marginMs = 10_000;
const nonceMs = 5 * 60_000;
const maxProofs = 100_000;
const maxLength = 8_192;

/** Why a proof is rejected: the value of `error` in the challenge. */
export type ProofProblem = 'invalid_dpop_proof' | 'use_dpop_nonce';

/** Checks the proofs that requests are sent by who has the key of their token. RFC 9449 section 4.3. */
export class Proofs {
  readonly #used = new UsedProofs(maxProofs);
  readonly #nonceKey = crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);

  /** @param resource The endpoint as clients name it; behind a proxy requests have another origin. */
  constructor(
    private readonly resource: URL,
    private readonly needsNonce: boolean,
  ) {}

  /** The nonce that the next proofs need. */
  nonce(ago = 0): Promise<string> {
    return this.#nonceAt(Math.floor(Date.now() / nonceMs) - ago);
  }

  /** Returns what is wrong with the proof of a request; `undefined` where it is valid. A valid one is valid once. */
  async problemOf(
    head: RequestHead,
    token: string,
    { principal, thumbprint }: { readonly principal: string; readonly thumbprint: string },
  ): Promise<ProofProblem | undefined> {
    const values = head.headerValues('dpop');
    const [proof = ''] = values;
    if (values.length !== 1 || proof.length > maxLength) return invalid;
    const checks = { typ: 'dpop+jwt', algorithms: usualAlgorithms };
    const found = await jwtVerify(proof, usualKey, checks).catch(() => undefined);
    if (found?.protectedHeader.jwk === undefined) return invalid;
    const { jti, iat, htm, htu, ath, nonce } = found.payload;
    const isFor =
      htm === head.method &&
      this.#isHere(htu, head) &&
      ath === base64url.encode(await sha256(token)) &&
      (await calculateJwkThumbprint(found.protectedHeader.jwk)) === thumbprint;
    if (!isFor || typeof jti !== 'string' || jti === '' || typeof iat !== 'number') return invalid;
    const isRecent = Math.abs(Date.now() - iat * 1_000) <= windowMs;
    if (!this.needsNonce && !isRecent) return invalid;
    if (this.needsNonce && nonce !== (await this.nonce()) && nonce !== (await this.nonce(1)))
      return unknownNonce;
    const key = await digestOf(`${thumbprint} ${jti}`);
    const until = this.needsNonce ? Date.now() + 2 * nonceMs : iat * 1_000 + windowMs;
    return this.#used.isFirst(principal, key, until + marginMs) ? undefined : invalid;
  }

  /** Whether a URL is that of the request, or what it was before a proxy has removed the beginning of its path. */
  #isHere(htu: unknown, { target }: RequestHead): boolean {
    const text = String(htu).replace(/^ws/, 'http');
    if (!URL.canParse(text)) return false;
    const { origin, pathname } = new URL(text);
    const [path = ''] = target.split('?');
    const endpoint = this.resource.pathname;
    const removed = pathname.endsWith(path) ? pathname.slice(0, pathname.length - path.length) : undefined;
    const isItsPath = pathname === endpoint || (removed !== undefined && endpoint.startsWith(removed));
    return origin === this.resource.origin && isItsPath;
  }

  async #nonceAt(slot: number): Promise<string> {
    const text = new TextEncoder().encode(String(slot));
    return base64url.encode(new Uint8Array(await crypto.subtle.sign('HMAC', await this.#nonceKey, text)));
  }
}

/** The modulus of an RSA key of 4,096 bits, in characters of base64url. */
const maxModulusLength = 683;

/** The key in a proof. The caller makes it: checks with an RSA key of another exponent, or a larger one, take a hundred times as long. */
const usualKey: typeof EmbeddedJWK = (header, proof) => {
  const { kty, e, n = '' } = header?.jwk ?? {};
  if (kty === 'RSA' && (e !== 'AQAB' || n.length > maxModulusLength)) throw new Error('an unusual RSA key');
  return EmbeddedJWK(header, proof);
};

const invalid = 'invalid_dpop_proof';
const unknownNonce = 'use_dpop_nonce';

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
