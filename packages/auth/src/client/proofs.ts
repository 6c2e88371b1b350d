import type { AuthorizedRequest } from '@rxmcp/transport';
import {
  allowInsecureRequests,
  customFetch,
  DPoP,
  type DPoPHandle,
  isDPoPNonceError,
  protectedResourceRequest,
} from 'oauth4webapi';

/** Proves that requests come from who has the key of a token. RFC 9449. */
export class Proofs {
  #handle: Promise<DPoPHandle> | undefined;

  /** The key, made for the first use. */
  get handle(): Promise<DPoPHandle> {
    return (this.#handle ??= crypto.subtle
      .generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])
      .then((pair) => DPoP({}, pair)));
  }

  /** The headers of a request with a token that is bound to the key, made after taking note of a nonce of the server. */
  async headers(
    { method, url }: AuthorizedRequest,
    accessToken: string,
    nonce?: string,
  ): Promise<Record<string, string>> {
    let made = new Headers();
    // The library makes proofs only for requests that it sends: this one goes nowhere.
    const answer = (_: string, init: { readonly headers: HeadersInit }): Promise<Response> => {
      made = new Headers(init.headers);
      return Promise.resolve(
        new Response(null, nonce === undefined ? {} : { headers: { 'dpop-nonce': nonce } }),
      );
    };
    await protectedResourceRequest(accessToken, method, new URL(url), new Headers(), null, {
      DPoP: await this.handle,
      [customFetch]: answer as never,
      [allowInsecureRequests]: true,
    }).catch((error: unknown) => {
      if (!isDPoPNonceError(error)) throw error;
    });
    return { authorization: made.get('authorization') ?? '', dpop: made.get('dpop') ?? '' };
  }
}
