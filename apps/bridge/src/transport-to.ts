import process from 'node:process';
import { stdio } from 'rxmcp/stdio';
import type { Transport } from 'rxmcp/transport';
import { endpoint } from 'rxmcp/url';
import { webSocket } from 'rxmcp/websocket/node';
import type { ServerPlace } from './arguments.js';
import { UsageError } from './usage.js';

/** The transport to a server; what a command writes to its standard error is passed on. Throws where there can be none. */
export function transportTo(server: ServerPlace): Transport {
  if ('command' in server)
    return stdio({ ...server, stderr: (line) => void process.stderr.write(`${line}\n`) });
  const { url, headers } = server;
  const { protocol, username, password } = new URL(url);
  if (username !== '' || password !== '')
    throw new UsageError('credentials do not belong into a URL: give them with --header or RXMCP_HEADERS');
  // One file for every platform would dial with the WebSocket that this Node may not have.
  return /^wss?:$/.test(protocol) ? webSocket(url, { headers }) : endpoint(url, { headers });
}
