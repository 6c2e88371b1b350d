import { sockets } from '#socket';
import type { Transport } from '@rxmcp/transport';
import { createWebSocketTransport } from './create-web-socket-transport.js';
import type { WebSocketOptions } from '../channel/web-socket-options.js';

/**
 * Speaks to a server over a WebSocket with the subprotocol `mcp`, one message per text frame. Each dial opens one.
 * A dial fails with `DIAL_FAILED` (its `details` hold the HTTP status or the system's code), `UNAUTHORIZED` (401 and 403)
 * or `DIAL_ABORTED`. A server that ends a connection closes it with `PEER_CLOSED` where it did so in order, else with
 * `CONNECTION_LOST`; `details.closeCode` is its status code. `http:` and `https:` are taken for `ws:` and `wss:`.
 * MCP 2026-07-28 basic, transports, custom transports.
 */
export function webSocket(url: string | URL, options: WebSocketOptions = {}): Transport {
  return createWebSocketTransport(sockets, url, options);
}
