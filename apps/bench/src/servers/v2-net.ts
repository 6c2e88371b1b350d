import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { createMcpHandler, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { BenchEra } from '../requests.js';
import { webServer } from './listen.js';
import { make } from './v2.js';

/** Serves the tools with the official SDK v2 over Streamable HTTP: one era, so that no choice between them costs it time. */
export function http(era: BenchEra, tools: number): Server {
  if (era === 'legacy') return webServer(withSessions(tools));
  const handler = createMcpHandler(() => make(tools), { legacy: 'reject' });
  return webServer((request) => handler.fetch(request));
}

/** Sessions in a map, as its documentation has them: its own handler serves this era without. */
function withSessions(tools: number): (request: Request) => Promise<Response> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return async (request) => {
    const known = sessions.get(request.headers.get('mcp-session-id') ?? '');
    if (known !== undefined) return known.handleRequest(request);
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      // As the others answer: JSON costs less than a stream.
      enableJsonResponse: true,
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (name) => void sessions.set(name, transport),
      onsessionclosed: (name) => void sessions.delete(name),
    });
    await make(tools).connect(transport);
    return transport.handleRequest(request);
  };
}
