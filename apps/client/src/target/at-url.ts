import type { Transport } from 'rxmcp/transport';
import { endpoint } from 'rxmcp/url';
import { webSocket } from 'rxmcp/websocket/node';
import { UsageError } from '../usage.js';
import type { HeaderSet } from './headers.js';

/**
 * The transport to a url: a WebSocket, or Streamable HTTP, or HTTP+SSE where the server refuses that. Throws a UsageError for
 * any other scheme, and for a url that holds credentials, which would be seen in a list of processes.
 */
export function atUrl(url: string, headers: HeaderSet): Transport {
  if (!URL.canParse(url)) throw new UsageError(`${JSON.stringify(url)} is no url`);
  const { protocol, username, password } = new URL(url);
  if (username !== '' || password !== '')
    throw new UsageError('credentials do not belong into a url: give them with --header');
  switch (protocol) {
    case 'ws:':
    case 'wss:':
      return webSocket(url, { headers });
    case 'http:':
    case 'https:':
      return endpoint(url, { headers });
    default:
      throw new UsageError(`no server is reached by "${protocol}": use http, https, ws or wss`);
  }
}
