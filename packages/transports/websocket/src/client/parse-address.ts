import type { TransportError } from '@rxmcp/transport';
import { notSentError } from '@rxmcp/transport';
import { findExposedCredential, hasCredentials } from '@rxmcp/transport/internal';
import { describeUrl } from '../socket/handshake-options.js';

/** Parses the address of a dial as `ws:` or `wss:`. Throws DIAL_FAILED for an invalid address, and for credentials in it, which would be logged. */
export function parseAddress(address: string | URL): URL {
  if (!URL.canParse(address)) throw rejected('the address is not a URL');
  const url = new URL(address);
  if (hasCredentials(url)) {
    throw rejected(`the address of ${describeUrl(url)} contains credentials: pass them in "headers"`);
  }
  if (url.protocol === 'http:') url.protocol = 'ws:';
  if (url.protocol === 'https:') url.protocol = 'wss:';
  if (url.protocol !== 'ws:' && url.protocol !== 'wss:') {
    throw rejected(`"${url.protocol}" is not a scheme of WebSockets: use "wss:" or "ws:"`);
  }
  url.hash = '';
  return url;
}

/** Throws DIAL_FAILED if credentials would be sent without encryption to another machine. */
export function requireSecure(url: URL, headers: Readonly<Record<string, string>>): void {
  const secret = findExposedCredential(url, Object.keys(headers));
  if (secret === undefined) return;
  throw rejected(
    `"${secret}" is not sent to ${describeUrl(url)} unencrypted: use "wss:", or "dangerouslyAllowInsecureCredentials"`,
  );
}

function rejected(message: string): TransportError {
  return notSentError('DIAL_FAILED', message);
}
