import { connect, type Socket } from 'node:net';
import { sse } from '@rxmcp/sse';
import type { Transport } from '@rxmcp/transport';
import { webSocket } from '@rxmcp/websocket';
import { defineClient, once, type Remote, RpcError } from 'rxmcp';
import { tools } from 'rxmcp/tools';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { growth } from './fixtures/growth.js';
import { started } from './fixtures/started.js';

const client = defineClient({ info: { name: 'c', version: '1' } });
const said = async (remote: Remote, length: number): Promise<string | undefined> => {
  const { content } = await once(tools(remote).call('length', { pad: 'x'.repeat(length) }));
  return (content[0] as { text?: string }).text;
};

describe.each<['sse' | 'ws', (url: string) => Transport]>([
  ['sse', (url) => sse(url)],
  ['ws', (url) => webSocket(url)],
])('a process that serves over %s', (carried, dialling) => {
  const connected = async (url: string): Promise<Remote> => {
    const remote = await client.connect(dialling(url));
    onTestFinished(() => remote.close());
    return remote;
  };

  it('fault 25: no file descriptor is left for another connection, until one is closed', async () => {
    const server = await started([], 70, carried);
    onTestFinished(() => server.stop());
    const before = await connected(server.url);
    const { port, hostname } = new URL(server.url);
    const sockets: Socket[] = Array.from({ length: 200 }, () => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      return socket;
    });
    await vi.waitUntil(() => sockets.some(({ destroyed }) => destroyed));
    // A connected client continues, where it needs no connection for it.
    if (carried === 'ws') expect(await said(before, 2)).toBe('2');
    for (const socket of sockets) socket.destroy();
    await vi.waitFor(async () => expect(await said(await connected(server.url), 1)).toBe('1'));
    expect(server.child.exitCode).toBeNull();
  });

  // In `npm test` the transports count bytes and sessions.
  if (!exhaustive) return;

  it('fault 24: a small heap and many messages of 4 MiB at a time', async () => {
    const server = await started(['--max-old-space-size=64'], undefined, carried);
    onTestFinished(() => server.stop());
    const remotes = await Promise.all(Array.from({ length: 100 }, () => connected(server.url)));
    const size = 4 * 1024 * 1024 - 1_000;
    const outcomes = await Promise.all(
      remotes.map((remote) =>
        said(remote, size).catch((error: unknown) =>
          RpcError.is(error) && error.code === -31001 ? 'rejected' : (error as { outcome?: string }).outcome,
        ),
      ),
    );
    // There is not room for all. Which of them are read to their end is a race, and so is whether any is, or is rejected after that.
    expect(outcomes).toContain('unknown');
    expect([String(size), 'unknown', 'rejected']).toEqual(expect.arrayContaining(outcomes));
    // A cancelled request takes no room for long.
    await vi.waitFor(async () => expect(await said(await connected(server.url), size)).toBe(String(size)));
    expect(server.child.exitCode).toBeNull();
  });

  it('fault 26: sessions that come and go leave nothing in the heap', async () => {
    const server = await started(['--expose-gc'], undefined, carried);
    onTestFinished(() => server.stop());
    const comeAndGo = async (): Promise<void> => {
      const remote = await client.connect(dialling(server.url));
      await said(remote, 1);
      await remote.close();
    };
    // Those that stayed would be more than a megabyte.
    expect(await growth(server, 10, comeAndGo)).toBeLessThan(500_000);
  });
});
