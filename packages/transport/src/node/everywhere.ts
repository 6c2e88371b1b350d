import { isIPv6 } from 'node:net';

/** Tells whether binding this host means every address of the machine, in any spelling. */
export function isEverywhere(host: string): boolean {
  if (host === '') return true;
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  const url = `http://${isIPv6(bare) ? `[${bare}]` : bare}`;
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === '0.0.0.0' || hostname === '[::]' || hostname === '[::ffff:0:0]';
}
