import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { McpServer as ServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as ServerV2 } from '@modelcontextprotocol/server';
import type { ConnectionHandler } from '@rxmcp/transport';
import { sdkConnectionHandler } from '@rxmcp/transport/sdk';
import { defineServer } from 'rxmcp';
import { serveHttp, type ServeHttpOptions } from 'rxmcp/http/node';
import { expect, it, onTestFinished } from 'vitest';

const info = { name: 'desk', version: '1.0.0' };

async function opening(
  acceptor: ConnectionHandler,
  options: ServeHttpOptions,
  params: object,
): Promise<Response> {
  const handle = await serveHttp(acceptor, options);
  onTestFinished(() => handle.close());
  return fetch(handle.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
}

it.each([
  ['v1', sdkConnectionHandler((transport) => new ServerV1(info).connect(transport))],
  ['v2', sdkConnectionHandler((transport) => new ServerV2(info).connect(transport))],
])(
  'the error with which a server of the official SDK %s refuses a handshake arrives',
  async (_, acceptor) => {
    const answer = await opening(acceptor, {}, {});
    expect(await answer.json()).toMatchObject({ id: 1, error: {} });
    expect(answer.headers.get('mcp-session-id')).toBeNull();
  },
);

it.each(['auto', 'legacy'] as const)(
  'the official client v2 finds the revision of an official server: %s',
  async (mode) => {
    const handler = sdkConnectionHandler((transport) => new ServerV1(info).connect(transport));
    const handle = await serveHttp(handler);
    onTestFinished(() => handle.close());
    const client = new Client(info, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(handle.url)));
    onTestFinished(() => client.close());
    expect(client.getServerVersion()).toMatchObject(info);
  },
);

it('a handshake whose answer is too large is refused, and ends nothing else', async () => {
  const server = defineServer({ info, instructions: 'x'.repeat(4_000), offers: [] });
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'someone', version: '1.0.0' },
  };
  const answer = await opening(server, { maxMessageBytes: 1_024 }, params);
  expect(await answer.json()).toMatchObject({ id: 1, error: {} });
});
