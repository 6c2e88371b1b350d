import { TransportError } from '@rxmcp/transport';

const names = ['authorization', 'proxy-authorization', 'cookie'];

/** Throws where the headers hold a credential that everybody on the way to that address could read. */
export function refuseInsecureCredentials(url: URL, headers: Headers): void {
  if (url.protocol !== 'http:' || isLoopback(url.hostname)) return;
  const name = names.find((candidate) => headers.has(candidate));
  if (name === undefined) return;
  throw new TransportError(
    'DIAL_FAILED',
    `"${name}" is not sent over plain http to "${url.host}": use https, or "dangerouslyAllowInsecureCredentials".`,
    { outcome: 'not-sent' },
  );
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}
