import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { make } from './v1.js';

/** Serves the tools with the official SDK v1 over Streamable HTTP, with sessions in a map as its examples have them. */
export function http(tools: number): Server {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  return createServer(async (request, response) => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (known !== undefined) return known.handleRequest(request, response);
    const transport = new StreamableHTTPServerTransport({
      // As the others answer: JSON costs less than a stream.
      enableJsonResponse: true,
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (name) => void sessions.set(name, transport),
      onsessionclosed: (name) => void sessions.delete(name),
    });
    await make(tools).connect(transport as Parameters<ReturnType<typeof make>['connect']>[0]);
    await transport.handleRequest(request, response);
  });
}

/** Serves the tools with the official SDK v1 over HTTP+SSE. */
export function sse(tools: number): Server {
  const sessions = new Map<string, SSEServerTransport>();
  return createServer(async (request, response) => {
    if (request.method === 'GET') {
      const transport = new SSEServerTransport('/messages', response);
      sessions.set(transport.sessionId, transport);
      await make(tools).connect(transport);
      return;
    }
    const id = new URL(request.url ?? '', 'http://localhost').searchParams.get('sessionId');
    const transport = sessions.get(id ?? '');
    if (transport === undefined) response.writeHead(404).end();
    else await transport.handlePostMessage(request, response);
  });
}
