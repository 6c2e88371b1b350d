import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';

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
      const text = JSON.stringify({ jsonrpc: '2.0', id, ...answer(method, params) });
      const head = ['content-type', 'application/json', 'content-length', String(Buffer.byteLength(text))];
      if (method === 'initialize') sessions.add(head[head.push('mcp-session-id', randomUUID()) - 1]);
      response.writeHead(200, head).end(text);
    });
  });
  type Params = { protocolVersion: string; _meta?: object; arguments: { text: string } };
  function answer(method: string, params: Params): object {
    const modern = params._meta === undefined ? {} : { resultType: 'complete', _meta };
    switch (method) {
      case 'tools/call':
        return { result: { ...modern, content: [{ type: 'text', text: params.arguments.text }] } };
      case 'tools/list':
        return { result: { ...modern, ...cache, tools } };
      case 'server/discover':
        return { result: { ...modern, ...cache, ...self, supportedVersions: ['2026-07-28'] } };
      case 'initialize':
        return { result: { protocolVersion: params.protocolVersion, serverInfo, ...self } };
    }
    return { error: { code: -32601, message: 'unknown method' } };
  }
}
const [stream, cache] = [['content-type', 'text/event-stream'], { ttlMs: 0, cacheScope: 'private' }];
const [serverInfo, self] = [{ name: 'floor', version: '1.0.0' }, { capabilities: { tools: {} } }];
const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo };
