import { isLoopbackHost } from '../base/loopback.js';

const credentials: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
  'api-key',
  'x-auth-token',
]);

/** Returns the first header name that is known to hold a credential, where the URL {@link isUnencryptedRemote}; otherwise `undefined`. */
export function findExposedCredential(url: URL, names: Iterable<string>): string | undefined {
  if (!isUnencryptedRemote(url)) return undefined;
  for (const name of names) if (credentials.has(name.toLowerCase())) return name;
  return undefined;
}

/** Returns whether a URL has a user name or a password. */
export function hasCredentials(url: URL): boolean {
  return url.username + url.password !== '';
}

/** Returns whether others can read the traffic to a URL: the host is not this machine, and the scheme is not `https:` or `wss:`. */
export function isUnencryptedRemote({ protocol, hostname }: URL): boolean {
  if (protocol === 'https:' || protocol === 'wss:') return false;
  return !hostname.endsWith('.localhost') && !isLoopbackHost(hostname);
}
