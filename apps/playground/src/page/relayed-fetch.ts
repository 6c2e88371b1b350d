/** The path of the relay, and the headers that it and the page exchange. */
export const relay = {
  path: '/relay',
  url: 'x-relay-url',
  failure: 'x-relay-failure',
  redirect: 'x-relay-redirect',
} as const;

/**
 * Sends a request through the server of this page: a page may not read the responses of other origins unless they allow it. Rejects like
 * `fetch` of Node.js if the other server cannot be reached.
 */
export async function relayedFetch(url: string | URL, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set(relay.url, String(url));
  const response = await fetch(relay.path, { ...init, headers });
  const code = response.headers.get(relay.failure);
  if (code !== null) throw new Error(`the request to "${String(url)}" failed: ${code}`, { cause: { code } });
  // Its URL is that of the relay, which is not the one that was asked.
  const redirect = response.headers.get(relay.redirect);
  if (redirect === null) return new Response(response.body, response);
  void response.body?.cancel();
  return new Response(null, { status: Number(redirect), headers: response.headers });
}
