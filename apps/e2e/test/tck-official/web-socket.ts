import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js';
import { serveWebSocket } from '@rxmcp/websocket/node';
import { fromSdkTransport } from '@rxmcp/transport/sdk';
import { WebSocket } from 'ws';
import { relayed, type Subject } from './subject.js';

/** Their client against our server: they have none. */
export const webSocket: Subject = {
  name: 'WebSocket v1',
  async serve(acceptor) {
    // The oldest Node that is served has none of its own.
    globalThis.WebSocket ??= WebSocket as unknown as typeof globalThis.WebSocket;
    const handle = await serveWebSocket(acceptor);
    const url = new URL(handle.url);
    const { port, relay, close } = await relayed(Number(url.port));
    url.port = String(port);
    return {
      ...(relay && { relay }),
      transport: fromSdkTransport(() => new WebSocketClientTransport(url), {
        traits: { maxMessageBytes: 4 * 1024 * 1024 },
      }),
      close: () => handle.close().then(close),
    };
  },
};
