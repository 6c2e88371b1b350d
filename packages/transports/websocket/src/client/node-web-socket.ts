import type { Transport } from '@rxmcp/transport';
import { createWebSocketTransport } from './create-web-socket-transport.js';
import { sockets } from '../socket/ws.js';
import type { WebSocketOptions } from '../channel/web-socket-options.js';

/** The `webSocket` of the package's root as Node has it, for programs that are bundled without the condition `node`. */
export function webSocket(url: string | URL, options: WebSocketOptions = {}): Transport {
  return createWebSocketTransport(sockets, url, options);
}
