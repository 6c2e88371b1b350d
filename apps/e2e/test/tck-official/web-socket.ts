import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js';
import { serveWebSocket } from '@rxmcp/websocket/node';
import { fromSdkTransport } from '@rxmcp/transport/sdk';
import { WebSocket } from 'ws';
import type { Subject } from './subject.js';

/** Their client against our server: they have none. */
export const webSocket: Subject = {
  name: 'WebSocket v1',
  async serve(acceptor) {
    // The oldest Node that is served has none of its own.
    globalThis.WebSocket ??= WebSocket as unknown as typeof globalThis.WebSocket;
    const handle = await serveWebSocket(acceptor);
    return {
      transport: fromSdkTransport(() => new WebSocketClientTransport(new URL(handle.url)), {
        traits: { maxMessageBytes: 4 * 1024 * 1024 },
      }),
      close: () => handle.close(),
    };
  },
};
