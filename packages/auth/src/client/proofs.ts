import type { AuthorizedRequest } from '@rxmcp/transport';
import {
  allowInsecureRequests,
  customFetch,
  DPoP,
  type DPoPHandle,
  modifyAssertion,
  type ModifyAssertionOptions,
  protectedResourceRequest,
} from 'oauth4webapi';

/** How far the clock of a server may differ before requests are made with its time: less than the minute that proofs are valid. */
const toleranceSeconds = 30;

/** A token that may be bound to the key. */
interface MaybeBound {
  readonly accessToken: string;
  readonly isBound?: boolean;
}

/** Proves that requests come from who has a key (RFC 9449, RFC 7523), by the clock of the servers that check it. */
export class Proofs {
  /** How far the clock of the servers is ahead, in seconds. */
  skewSeconds = 0;
  /** Has the library make assertions and proofs with the time of the servers. */
  readonly atTheirTime: ModifyAssertionOptions = {
    [modifyAssertion]: (_header, payload) => {
      for (const claim of ['iat', 'nbf', 'exp'])
        if (typeof payload[claim] === 'number') payload[claim] += this.skewSeconds;
    },
  };
  #handle: Promise<DPoPHandle> | undefined;
  #last = { accessToken: '', headers: {} };

  /** The key, made for the first use. */
  get handle(): Promise<DPoPHandle> {
    return (this.#handle ??= crypto.subtle
      .generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])
      .then((pair) => DPoP({}, pair, this.atTheirTime)));
  }

  /** Takes the time of the response to a request that a server rejected. Returns whether the same request may succeed with it. */
  adjust(headers: Pick<Headers, 'get'> | undefined): boolean {
    const at = Date.parse(headers?.get('date') ?? '');
    const skew = Math.round((at - Date.now()) / 1_000);
    if (Number.isNaN(skew) || Math.abs(skew - this.skewSeconds) <= toleranceSeconds) return false;
    this.skewSeconds = skew;
    return true;
  }

  /**
   * Takes what a server states that rejects a request with a token. Returns whether the same request may succeed then; `undefined` where
   * it does not reject the proof.
   */
  async corrected(
    request: AuthorizedRequest,
    token: MaybeBound,
    error: string | undefined,
    headers: Pick<Headers, 'get'>,
  ): Promise<boolean | undefined> {
    if (token.isBound !== true) return undefined;
    const nonce = headers.get('dpop-nonce');
    if (error === 'use_dpop_nonce' && nonce !== null) {
      await this.#proven(request, token.accessToken, nonce);
      return true;
    }
    return error === 'invalid_dpop_proof' ? this.adjust(headers) : undefined;
  }

  /** The headers of a request with a token. */
  credentials(
    request: AuthorizedRequest,
    { accessToken, isBound = false }: MaybeBound,
  ): Promise<Record<string, string>> | Record<string, string> {
    if (isBound) return this.#proven(request, accessToken);
    // A header that is made once is checked faster each time it is sent.
    if (this.#last.accessToken !== accessToken)
      this.#last = { accessToken, headers: { authorization: `Bearer ${accessToken}` } };
    return this.#last.headers;
  }

  /** The headers of a request with a token that is bound to the key, made after taking note of a nonce of the server. */
  async #proven(
    { method, url }: AuthorizedRequest,
    accessToken: string,
    nonce?: string,
  ): Promise<Record<string, string>> {
    let made = new Headers();
    // The library makes proofs only for requests that it sends: this one goes nowhere.
    const respond = (_: string, init: { readonly headers: HeadersInit }): Promise<Response> => {
      made = new Headers(init.headers);
      return Promise.resolve(
        new Response(null, nonce === undefined ? {} : { headers: { 'dpop-nonce': nonce } }),
      );
    };
    await protectedResourceRequest(accessToken, method, new URL(url), new Headers(), null, {
      DPoP: await this.handle,
      [customFetch]: respond as never,
      [allowInsecureRequests]: true,
    });
    return { authorization: made.get('authorization') ?? '', dpop: made.get('dpop') ?? '' };
  }
}
