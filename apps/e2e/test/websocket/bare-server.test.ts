import { once as event } from 'node:events';
import type { AddressInfo } from 'node:net';
import { webSocket } from '@rxmcp/websocket';
import { firstValueFrom, toArray } from 'rxjs';
import { defineClient, once, type JsonObject } from 'rxmcp';
import { tools } from 'rxmcp/tools';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { revisions } from '../matrix/revisions.js';

type Say = (message: JsonObject) => void;

const echo = { name: 'echo', inputSchema: { type: 'object' } };

/** A server written by hand on `ws`, which knows one revision and nothing of this project. */
async function bareServer(version: string): Promise<string> {
  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    handleProtocols: (offered) => (offered.has('mcp') ? 'mcp' : false),
  });
  onTestFinished(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  server.on('connection', (socket: WebSocket) => {
    const say: Say = (message) => socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
    socket.on('message', (data) => {
      answer(version, JSON.parse(String(data)) as JsonObject, say);
    });
  });
  await event(server, 'listening');
  return `ws://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
}

function answer(version: string, { id, method, params = {} }: JsonObject, say: Say): void {
  const isModern = version === '2026-07-28';
  const result = (body: JsonObject): void =>
    say({ id, result: isModern ? { resultType: 'complete', ...body } : body });
  const { name, arguments: args, _meta } = params as Record<string, JsonObject>;
  if (method === (isModern ? 'server/discover' : 'initialize')) {
    const capabilities = { tools: {} };
    const serverInfo = { name: 'bare', version: '0' };
    if (isModern) result({ supportedVersions: [version], capabilities, ttlMs: 0, cacheScope: 'private' });
    else result({ protocolVersion: version, capabilities, serverInfo });
  } else if (method === 'tools/list') {
    result({ tools: [echo], ...(isModern ? { ttlMs: 0, cacheScope: 'private' } : {}) });
  } else if (method === 'tools/call' && String(name) === 'echo') {
    const progressToken = _meta?.['progressToken'];
    if (progressToken !== undefined) {
      say({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
    }
    result({ content: [{ type: 'text', text: String(args?.['text']) }] });
  } else if (id !== undefined) {
    say({ id, error: { code: -32601, message: 'Method not found' } });
  }
}

describe.each(revisions)('our client at a bare server of $version', ({ version }) => {
  it('agrees on the revision, lists and calls', async () => {
    const client = defineClient({ info: { name: 'desk', version: '1.0.0' } });
    const remote = await client.connect(webSocket(await bareServer(version)));
    onTestFinished(() => remote.close());
    expect(remote.version).toBe(version);
    expect(await once(tools(remote).list())).toMatchObject([{ name: 'echo' }]);
    const events = await firstValueFrom(tools(remote).events('echo', { text: 'héron' }).pipe(toArray()));
    expect(events).toMatchObject([{ type: 'progress' }, { type: 'result' }]);
    expect(await once(tools(remote).call('echo', { text: 'a' }))).toMatchObject({ content: [{ text: 'a' }] });
  });
});

it('rejects a server that does not speak `mcp`', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => false });
  onTestFinished(() => server.close());
  await event(server, 'listening');
  const url = `ws://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
  const client = defineClient({ info: { name: 'desk', version: '1.0.0' } });
  await expect(client.connect(webSocket(url))).rejects.toMatchObject({ code: 'DIAL_FAILED' });
});
