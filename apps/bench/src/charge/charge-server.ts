// A child of the bench: serves one tool twice on each transport, with the memory budget of the process and with one that counts nothing.
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net';
import { httpHandler } from 'rxmcp/http/node';
import { serveStdio } from 'rxmcp/stdio';
import { MemoryBudget } from '@rxmcp/transport';
import { webSocketHandler } from 'rxmcp/websocket/node';
import { make } from '../servers/rxmcp.js';

class Uncounted extends MemoryBudget {
  override tryCharge(): boolean {
    return true;
  }
  override release(): void {}
}

const ports = await Promise.all(
  [make(1), make(1, new Uncounted({ maxBytes: 1 }))].flatMap((server) => {
    const http = createServer(httpHandler(server));
    const webSockets = webSocketHandler(server);
    http.on('upgrade', (request, socket, head) => webSockets.upgrade(request, socket, head));
    const pipes = createSocketServer((socket) => {
      serveStdio(server, { input: socket.setNoDelay(), output: socket });
    });
    return [portOf(pipes), portOf(http)];
  }),
);
console.error(`listening ${ports.join(',')}`);

function portOf(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
