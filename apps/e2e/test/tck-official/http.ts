import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { StreamableHTTPClientTransport as ClientV2 } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport as ClientV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StreamableHTTPServerTransport as ServerV1 } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { WebStandardStreamableHTTPServerTransport as ServerV2 } from '@modelcontextprotocol/server';
import { fromSdkTransport, type SdkTransport } from '@rxmcp/transport/sdk';
import { official, open, relayed, type Subject } from './subject.js';

type Accept = (transport: SdkTransport) => void;
type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** With sessions, as the guides mount them: a transport for each, found by its id. */
export const http: readonly Subject[] = [
  mounted('HTTP v1', servedV1, (url) => new ClientV1(url)),
  mounted('HTTP v2', servedV2, (url) => new ClientV2(url)),
];

function mounted(
  name: string,
  listener: (accept: Accept) => Listener,
  dial: (url: URL) => SdkTransport,
): Subject {
  return {
    name,
    async serve(acceptor) {
      const serving = official(acceptor);
      const listen = listener((transport) => serving.accept(transport));
      const server = createServer((request, response) => {
        // A client sends its next request on a socket that is kept, also while the server closes that one.
        response.shouldKeepAlive = false;
        listen(request, response);
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port, relay, close } = await relayed((server.address() as AddressInfo).port);
      return {
        ...(relay && { relay }),
        transport: fromSdkTransport(() => dial(new URL(`http://127.0.0.1:${String(port)}/mcp`))),
        acceptsAt: 'session',
        openSession: open,
        async close() {
          await serving.close();
          server.closeAllConnections();
          await new Promise((resolve) => server.close(resolve));
          await close();
        },
      };
    },
  };
}

function servedV1(accept: Accept): Listener {
  const sessions = new Map<string, ServerV1>();
  return (request, response) => {
    const id = request.headers['mcp-session-id'];
    let transport = typeof id === 'string' ? sessions.get(id) : undefined;
    if (transport === undefined && id === undefined && request.method === 'POST') {
      const fresh = new ServerV1({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (name) => void sessions.set(name, fresh),
      });
      accept(fresh as SdkTransport);
      transport = fresh;
    }
    if (transport === undefined) response.writeHead(404).end();
    else void transport.handleRequest(request, response);
  };
}

function servedV2(accept: Accept): Listener {
  const sessions = new Map<string, ServerV2>();
  const answer = async (request: Request): Promise<Response> => {
    const id = request.headers.get('mcp-session-id');
    const known = id === null ? undefined : sessions.get(id);
    if (known !== undefined) return known.handleRequest(request);
    if (id !== null || request.method !== 'POST') return new Response(null, { status: 404 });
    const fresh = new ServerV2({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (name) => void sessions.set(name, fresh),
    });
    accept(fresh as SdkTransport);
    return fresh.handleRequest(request);
  };
  const listener = getRequestListener(answer, { overrideGlobalObjects: false });
  return (request, response) => void listener(request, response);
}
