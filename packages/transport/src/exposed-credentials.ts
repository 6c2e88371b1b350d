const credentials: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
  'api-key',
  'x-auth-token',
]);

/** The first of these names of headers that holds a credential and {@link isUnencryptedRemote} there. Nothing where all may be sent. */
export function findExposedCredential(url: URL, names: Iterable<string>): string | undefined {
  if (!isUnencryptedRemote(url)) return undefined;
  for (const name of names) if (credentials.has(name.toLowerCase())) return name;
  return undefined;
}

/** Whether others can read what goes to that address: it is not this machine, and neither `https:` nor `wss:` leads there. */
export function isUnencryptedRemote({ protocol, hostname }: URL): boolean {
  return protocol !== 'https:' && protocol !== 'wss:' && !isLoopback(hostname);
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}
