/** Reads the address of a server. Throws a TypeError for what is none, without repeating what may hold a secret. */
export function endpointOf(url: string | URL): URL {
  let endpoint: URL;
  try {
    endpoint = new URL(url);
  } catch {
    throw new TypeError('The address of an HTTP server must be an absolute URL.');
  }
  if (endpoint.protocol !== 'http:' && endpoint.protocol !== 'https:')
    throw new TypeError(
      `The address of an HTTP server must begin with http: or https:, not ${endpoint.protocol}`,
    );
  if (endpoint.username !== '' || endpoint.password !== '')
    throw new TypeError('Credentials do not belong into a URL; pass them as a header.');
  endpoint.hash = '';
  return endpoint;
}

/** How an endpoint is named to people: its query may hold a secret. */
export function nameOf(endpoint: URL): string {
  return endpoint.origin + endpoint.pathname;
}
