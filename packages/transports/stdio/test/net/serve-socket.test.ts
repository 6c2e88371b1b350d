import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectionHandler, recording } from '@rxmcp/transport-tck/recording';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { serveSocket } from '../../src/net.js';
import { turnsUntil, until } from '../child.js';
import { dialled, ping, raw, served } from './sockets.js';

describe('input', () => {
  test('row 1: a client is notified of a line that is too long, and cut at the third', async () => {
    const { handle, heard } = await served({ maxMessageBytes: 1_000 });
    const client = raw(handle.port);
    const long = `{"a":"${'x'.repeat(2_000)}"}\n`;
    client.socket.write(`${JSON.stringify(ping(1))}\n${long}${JSON.stringify(ping(2))}\n${long}${long}`);
    await client.closed;
    expect(heard[0]?.messages).toEqual([ping(1), ping(2)]);
    expect(heard[0]?.faults.map(({ code }) => code)).toEqual(['OVERFLOW', 'OVERFLOW', 'OVERFLOW']);
    expect(heard[0]?.closeErrors).toMatchObject([{ code: 'OVERFLOW' }]);
  });

  test('row 24: a page that posts to the port is cut before its message is read', async () => {
    const { handle, heard } = await served({}, {});
    const response = fetch(`http://127.0.0.1:${String(handle.port)}/`, {
      method: 'POST',
      body: `\n${JSON.stringify(ping(1))}\n`,
    });
    await expect(response).rejects.toThrow();
    await until(() => expect(heard[0]?.closeErrors).toMatchObject([{ code: 'UNEXPECTED_OUTPUT' }]));
    expect(heard[0]?.messages).toEqual([]);
  });

  test('row 6: so is a client that begins with invalid text', async () => {
    const { handle, heard } = await served();
    const client = raw(handle.port);
    client.socket.write(Uint8Array.of(0x16, 0x03, 0x01, 0xff, 0x0a));
    await client.closed;
    expect(heard[0]?.closeErrors).toMatchObject([{ code: 'PARSE_ERROR' }]);
  });

  test('row 56: a client that sends nothing is cut, one that sent something may be silent', async () => {
    const { handle, heard } = await served({ firstMessageTimeoutMs: 50 });
    const speaking = raw(handle.port);
    speaking.socket.write(`${JSON.stringify(ping(1))}\n`);
    await until(() => expect(heard[0]?.messages).toHaveLength(1));
    const silent = raw(handle.port);
    await silent.closed;
    expect(heard[1]?.closeErrors).toMatchObject([{ code: 'STALLED' }]);
    expect(heard[0]?.closeErrors).toEqual([]);
  });

  test.each(['client', 'server'])(
    'no timer is left of a client that sent nothing, where the %s closes',
    async (side) => {
      const [set, cleared] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
      onTestFinished(() => void vi.restoreAllMocks());
      const serving = await served({ firstMessageTimeoutMs: 600_000 });
      const client = raw(serving.handle.port);
      await turnsUntil(() => serving.connections.length === 1);
      if (side === 'client') client.socket.end();
      else void serving.connections[0]?.close();
      await client.closed;
      const started = set.mock.calls.findIndex(([, delayMs]) => delayMs === 600_000);
      const timer: unknown = set.mock.results[started]?.value;
      expect(timer).toBeDefined();
      await turnsUntil(() => cleared.mock.calls.some(([one]) => one === timer));
    },
  );
});

describe('a client that does not read', () => {
  test('fault 13: a client that asks without reading is read no further, and cut after a while', async () => {
    const { handle, heard } = await served({ writeTimeoutMs: 300 }, { pad: 'x'.repeat(100_000) });
    const client = connect({ port: handle.port, host: '127.0.0.1' }).pause();
    onTestFinished(() => void client.destroy());
    client.on('error', () => undefined);
    const asks = `${JSON.stringify(ping(1, { pad: 'x'.repeat(1_000) }))}\n`.repeat(1_000);
    let asked = 0;
    const flood = (): void => {
      while (asked < 50_000 && !client.destroyed && client.write(asks)) asked += 1_000;
      client.once('drain', flood);
    };
    flood();
    await until(() => expect(heard[0]?.closeErrors).toMatchObject([{ code: 'STALLED' }]));
    expect(heard[0]?.messages.length).toBeLessThan(20_000);
  });

  test('clients beyond the limit are refused, connected ones continue', async () => {
    const { handle, heard } = await served({ maxConnections: 1 }, {});
    const first = await dialled(handle.port);
    await first.connection.send(ping(1));
    await until(() => expect(first.heard.messages).toHaveLength(1));
    const second = await dialled(handle.port);
    await until(() => expect(second.heard.closeErrors).toHaveLength(1));
    await first.connection.send(ping(2));
    await until(() => expect(first.heard.messages).toHaveLength(2));
    expect(heard).toHaveLength(1);
  });
});

describe('serving', () => {
  test('row 29: an address that other machines reach is rejected without the explicit option', async () => {
    for (const host of ['0.0.0.0', '::', '', '192.168.1.5', '::ffff:0.0.0.0']) {
      await expect(
        serveSocket(
          connectionHandler(() => recording()),
          { port: 0, host },
        ),
      ).rejects.toThrow(TypeError);
    }
    await served({ host: 'localhost' });
  });

  test('an acceptor that throws refuses one client and continues', async () => {
    let times = 0;
    const good = connectionHandler(() => recording());
    const handle = await serveSocket(
      {
        accept(connection) {
          times += 1;
          if (times === 1) throw new Error('full');
          return good.accept(connection);
        },
      },
      { port: 0 },
    );
    onTestFinished(() => handle.close());
    const refused = await dialled(handle.port);
    await until(() => expect(refused.heard.closeErrors).toHaveLength(1));
    const next = await dialled(handle.port);
    await next.connection.send(ping(1));
    expect(next.heard.closeErrors).toEqual([]);
  });

  test('a port that is taken rejects', async () => {
    const { handle } = await served();
    await expect(
      serveSocket(
        connectionHandler(() => recording()),
        { port: handle.port },
      ),
    ).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});

describe.skipIf(process.platform === 'win32')('a Unix socket', () => {
  const place = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'rxmcp-socket-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return join(folder, 'served');
  };

  test('is for this user only, and removed afterwards', async () => {
    const path = place();
    const { handle } = await served({ path });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await handle.close();
    expect(existsSync(path)).toBe(false);
  });

  test('takes over the socket of a killed server, and nothing else', async () => {
    const path = place();
    const lines = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.send('up'))`;
    const left = fork('-e', [lines], { execArgv: [] });
    await once(left, 'message');
    await expect(
      serveSocket(
        connectionHandler(() => recording()),
        { path },
      ),
    ).rejects.toMatchObject({ code: 'EADDRINUSE' });
    left.kill('SIGKILL');
    await once(left, 'exit');
    expect(existsSync(path)).toBe(true);
    await served({ path });
    const file = place();
    writeFileSync(file, 'mine');
    await expect(
      serveSocket(
        connectionHandler(() => recording()),
        { path: file },
      ),
    ).rejects.toThrow();
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });
});
