import { Client } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { http } from '@rxmcp/http';
import { serveHttp } from '@rxmcp/http/node';
import { webSocket } from '@rxmcp/websocket';
import { serveWebSocket } from '@rxmcp/websocket/node';
import { defineClient, defineServer, once } from 'rxmcp';
import { offerTools, text, tool, tools } from 'rxmcp/tools';
import { expect, it, onTestFinished } from 'vitest';

let runs = 0;
const count = tool('count', {}, () => text(String((runs += 1))));
const server = defineServer({
  info: { name: 'old', version: '1.0.0' },
  eras: ['legacy'],
  offers: [offerTools([count])],
});
const info = { name: 'desk', version: '1.0.0' };

async function served(): Promise<string> {
  const handle = await serveHttp(server);
  onTestFinished(() => handle.close());
  return handle.url;
}

it('row 33: a server of the older era answers 400 and -32601 to a request of the newer one, and runs nothing', async () => {
  const url = await served();
  const before = runs;
  for (const method of ['server/discover', 'tools/call', 'initialize', 'ping']) {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(method === 'tools/call' && { 'mcp-name': 'count' }),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: { _meta, name: 'count', arguments: {} },
      }),
    });
    const body = (await answer.json()) as { id: number; error: { code: number } };
    expect([method, answer.status, body.id, body.error.code]).toEqual([method, 400, 1, -32601]);
  }
  expect(runs).toBe(before);
});

it('clients that prefer the newer era find the older one there, over Streamable HTTP', async () => {
  const url = await served();
  const remote = await defineClient({ info }).connect(http(url));
  onTestFinished(() => remote.close());
  expect(remote.version).toBe('2025-11-25');
  await once(tools(remote).call('count'));
  const official = new Client(info, { versionNegotiation: { mode: 'auto' } });
  await official.connect(new StreamableHTTPClientTransport(new URL(url)));
  onTestFinished(() => official.close());
  expect(official.getProtocolEra()).toBe('legacy');
  await official.callTool({ name: 'count', arguments: {} });
});

it('and over a WebSocket', async () => {
  const handle = await serveWebSocket(server);
  onTestFinished(() => handle.close());
  const remote = await defineClient({ info }).connect(webSocket(handle.url));
  onTestFinished(() => remote.close());
  expect(remote.version).toBe('2025-11-25');
  await once(tools(remote).call('count'));
});
