import { connect, type Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { growth } from './fixtures/growth.js';
import { started } from './fixtures/started.js';

const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'length',
};
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

function bodyOf(length: number): Uint8Array<ArrayBuffer> {
  const params = { _meta, name: 'length', arguments: { pad: 'x'.repeat(length) } };
  return new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
}

function call(url: string, body = bodyOf(1)): Promise<Response> {
  return fetch(url, { method: 'POST', headers, body });
}

it('fault 24: a small heap and many bodies of 4 MiB at a time', async () => {
  const server = await started(['--max-old-space-size=64']);
  const large = bodyOf(4 * 1024 * 1024 - 1_000);
  const answers = await Promise.all(
    Array.from({ length: exhaustive ? 100 : 40 }, async () => {
      // A client that writes slowly loses its connection after the answer, before it has read it.
      const answer = await call(server.url, large).catch(() => undefined);
      await answer?.text();
      return answer?.status ?? 503;
    }),
  );
  // Some of each: there is room for some, and not for all.
  expect(new Set(answers)).toEqual(new Set([200, 503]));
  expect((await call(server.url)).status).toBe(200);
  expect(server.child.exitCode).toBeNull();
  await server.stop();
});

it('fault 25: no file descriptor is left for another connection, until one is closed', async () => {
  const server = await started([], 40);
  const { port, hostname } = new URL(server.url);
  const sockets: Socket[] = Array.from({ length: 200 }, () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    return socket;
  });
  await vi.waitUntil(() => sockets.some(({ destroyed }) => destroyed));
  for (const socket of sockets) socket.destroy();
  await vi.waitFor(async () => expect((await call(server.url)).status).toBe(200));
  expect(server.child.exitCode).toBeNull();
  await server.stop();
});

it('fault 26: sessions that come and go leave nothing in the heap', async () => {
  const server = await started(['--expose-gc']);
  const { 'mcp-protocol-version': _modern, 'mcp-method': _method, 'mcp-name': _name, ...usual } = headers;
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const comeAndGo = async (): Promise<void> => {
    const answer = await fetch(server.url, { method: 'POST', headers: usual, body });
    await answer.text();
    const gone = { 'mcp-session-id': answer.headers.get('mcp-session-id') ?? '' };
    await fetch(server.url, { method: 'DELETE', headers: gone });
  };
  // Five hundred sessions that stayed would be a megabyte.
  expect(await growth(server, exhaustive ? 40 : 20, comeAndGo)).toBeLessThan(500_000);
  await server.stop();
});
