import type { Server } from 'node:http';
import { WebSocketServer } from 'ws';
import { responseTo } from './floor-response.js';

/** The least code that answers as the others do, on a bare `ws`: parse, one switch, stringify, one send. */
export function serve(server: Server, tools: readonly object[]): void {
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  sockets.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => {
      const { id, method, params } = JSON.parse(data.toString());
      if (id !== undefined)
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...responseTo(method, params, tools) }));
    });
  });
}
