import { createServer } from 'node:http';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Remote } from 'rxmcp';
import { defineClient, once, TransportError } from 'rxmcp';
import { serveHttp } from 'rxmcp/http/node';
import { serveSse } from 'rxmcp/sse/node';
import { tools } from 'rxmcp/tools';
import { transportFor } from 'rxmcp/url';
import { serveWebSocket } from 'rxmcp/websocket/node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serverNamed } from '../matrix/servers/index.js';

const client = defineClient({ info: { name: 'desk', version: '1.0.0' } });

async function reach(url: string): Promise<Remote> {
  const remote = await client.connect(transportFor(url));
  onTestFinished(() => remote.close());
  return remote;
}

const sum = async (remote: Remote): Promise<unknown> =>
  (await once(tools(remote).call('calculate_sum', { a: 20, b: 22 }))).content[0];

describe('a url finds its transport', () => {
  it.each([
    ['Streamable HTTP', serveHttp, '2026-07-28'],
    ['HTTP+SSE, refused as Streamable HTTP', serveSse, '2025-11-25'],
    ['WebSocket, by its scheme', serveWebSocket, '2026-07-28'],
  ] as const)('%s', async (_name, serve, version) => {
    const serving = await serve(serverNamed('toolbox', {}), { port: 0 });
    onTestFinished(() => serving.close());
    const remote = await reach(serving.url);
    expect(remote.version).toBe(version);
    expect(await sum(remote)).toMatchObject({ text: '42' });
  });

  it('HTTP+SSE of the official SDK', async () => {
    const open = new Map<string, SSEServerTransport>();
    const http = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      if (request.method === 'GET' && pathname === '/sse') {
        const transport = new SSEServerTransport('/messages', response);
        const server = new McpServer({ name: 'official', version: '1.0.0' });
        server.registerTool('calculate_sum', {}, () => ({ content: [{ type: 'text', text: '42' }] }));
        open.set(transport.sessionId, transport);
        void server.connect(transport);
        return;
      }
      const found = open.get(searchParams.get('sessionId') ?? '');
      if (pathname === '/messages' && found !== undefined) void found.handlePostMessage(request, response);
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      http.closeAllConnections();
      http.close();
    });
    const remote = await reach(`http://127.0.0.1:${(http.address() as { port: number }).port}/sse`);
    expect(remote.version).toBe('2025-11-25');
    expect(await sum(remote)).toMatchObject({ text: '42' });
  });
});

describe('a completed handshake', () => {
  it('keeps its connection, whatever arrives for it later', async () => {
    const asked: string[] = [];
    const http = createServer((request, response) => {
      asked.push(request.method ?? '');
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const { id, method } = (text === '' ? {} : JSON.parse(text)) as { id?: number; method?: string };
        if (request.method !== 'POST') return void response.writeHead(405).end();
        if (id === undefined) return void response.writeHead(202).end();
        const serverInfo = { name: 'odd', version: '1.0.0' };
        const opened = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
        const error = { code: -32000, message: 'once more' };
        const good = { jsonrpc: '2.0', id, result: method === 'initialize' ? opened : { content: [] } };
        // The answer of the handshake is followed by an error with its id, as is that of the call.
        const late = { jsonrpc: '2.0', id: method === 'initialize' ? id : id - 1, error };
        if (method === 'server/discover') return void response.writeHead(404).end();
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`data: ${JSON.stringify(late.id === id ? good : late)}\n\n`);
        response.end(`data: ${JSON.stringify(late.id === id ? late : good)}\n\n`);
      });
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      http.closeAllConnections();
      http.close();
    });
    const remote = await reach(`http://127.0.0.1:${(http.address() as { port: number }).port}/mcp`);
    expect(await once(tools(remote).call('any'))).toEqual({ content: [] });
    // The probe, the handshake, its confirmation and the call were posted; one stream was asked for, of the first kind.
    expect(asked.filter((method) => method === 'GET')).toHaveLength(1);
  });
});

describe('a url that leads nowhere', () => {
  it('reports why the first transport was refused', async () => {
    const http = createServer((_request, response) => void response.writeHead(404).end());
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void http.close());
    const { port } = http.address() as { port: number };
    const error: unknown = await client
      .connect(transportFor(`http://127.0.0.1:${port}/mcp`))
      .catch((e: unknown) => e);
    expect(TransportError.is(error)).toBe(true);
    expect(error).toMatchObject({ code: 'REJECTED', details: { status: 404 } });
  });

  it('is rejected at once for an unsupported scheme', () => {
    expect(() => transportFor('ftp://example.com/')).toThrow('no transport for "ftp:"');
  });
});
