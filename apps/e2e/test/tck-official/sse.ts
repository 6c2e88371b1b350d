import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { fromSdkTransport } from '@rxmcp/transport/sdk';
import { official, relayed, type Subject } from './subject.js';

export const sse: Subject = {
  name: 'SSE v1',
  async serve(acceptor) {
    const serving = official(acceptor);
    const sessions = new Map<string, SSEServerTransport>();
    const server = createServer((request, response) => {
      if (request.method === 'GET') {
        const transport = new SSEServerTransport('/messages', response);
        sessions.set(transport.sessionId, transport);
        serving.accept(transport);
        return;
      }
      const id = new URL(request.url ?? '', 'http://localhost').searchParams.get('sessionId');
      const transport = sessions.get(id ?? '');
      if (transport === undefined) response.writeHead(404).end();
      else void transport.handlePostMessage(request, response);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port, relay, close } = await relayed((server.address() as AddressInfo).port);
    return {
      ...(relay && { relay }),
      transport: fromSdkTransport(
        () => new SSEClientTransport(new URL(`http://127.0.0.1:${String(port)}/sse`)),
      ),
      closeIdle: () => server.closeIdleConnections(),
      async close() {
        await serving.close();
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
        await close();
      },
    };
  },
};
