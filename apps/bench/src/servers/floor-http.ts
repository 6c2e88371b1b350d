import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { responseTo } from './floor-response.js';

/** The least code that answers as the others do: read, parse, one switch, stringify, one end(text). */
export function serve(tools: readonly object[]): Server {
  const sessions = new Set<unknown>();
  return createServer((request, response) => {
    const known = sessions.has(request.headers['mcp-session-id']);
    if (request.method === 'GET' && known) return response.writeHead(200, stream).flushHeaders();
    let body = Buffer.alloc(0);
    request.on('data', (chunk) => (body = body.length === 0 ? chunk : Buffer.concat([body, chunk])));
    request.on('end', () => {
      const { id, method, params } = JSON.parse(body.toString());
      if (!known && method !== 'initialize' && !params?._meta) return response.writeHead(404).end();
      if (id === undefined) return response.writeHead(202, ['content-length', '0']).end();
      const text = JSON.stringify({ jsonrpc: '2.0', id, ...responseTo(method, params, tools) });
      const head = ['content-type', 'application/json', 'content-length', String(Buffer.byteLength(text))];
      if (method === 'initialize') sessions.add(head[head.push('mcp-session-id', randomUUID()) - 1]);
      response.writeHead(200, head).end(text);
    });
  });
}
const stream = ['content-type', 'text/event-stream'];
