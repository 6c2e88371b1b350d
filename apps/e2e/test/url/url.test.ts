import { createServer } from 'node:http';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Remote } from 'rxmcp';
import { defineClient, once, TransportError } from 'rxmcp';
import { serveHttp } from 'rxmcp/http/node';
import { serveSse } from 'rxmcp/sse/node';
import { tools } from 'rxmcp/tools';
import { endpoint } from 'rxmcp/url';
import { serveWebSocket } from 'rxmcp/websocket/node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serverNamed } from '../matrix/servers/index.js';

const client = defineClient({ info: { name: 'desk', version: '1.0.0' } });

async function reach(url: string): Promise<Remote> {
  const remote = await client.connect(endpoint(url));
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

describe('a url that leads nowhere', () => {
  it('says why the first transport was refused', async () => {
    const http = createServer((_request, response) => void response.writeHead(404).end());
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void http.close());
    const { port } = http.address() as { port: number };
    const error: unknown = await client
      .connect(endpoint(`http://127.0.0.1:${port}/mcp`))
      .catch((e: unknown) => e);
    expect(TransportError.is(error)).toBe(true);
    expect(error).toMatchObject({ code: 'REFUSED', details: { status: 404 } });
  });

  it('is refused at once for a scheme that carries nothing', () => {
    expect(() => endpoint('ftp://example.com/')).toThrow('no transport for "ftp:"');
  });
});
