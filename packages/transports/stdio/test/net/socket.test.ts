import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { socket } from '../../src/net.js';
import { until } from '../child.js';
import { bare, dialled, ping, served } from './sockets.js';

describe('dialling', () => {
  test('no server is DIAL_FAILED, and names the address', async () => {
    const { handle } = await served();
    await handle.close();
    await expect(socket({ port: handle.port }).dial()).rejects.toMatchObject({
      code: 'DIAL_FAILED',
      outcome: 'not-sent',
      message: `cannot connect to 127.0.0.1:${String(handle.port)}: ECONNREFUSED`,
    });
    await expect(socket({ path: '/nonexistent/socket' }).dial()).rejects.toMatchObject({
      code: 'DIAL_FAILED',
    });
  });

  test('a port and a path, or none of them, is a mistake', () => {
    expect(() => socket({})).toThrow(TypeError);
    expect(() => socket({ port: 1, path: '/x' })).toThrow(TypeError);
  });

  test.runIf(existsSync('/proc/net/tcp'))(
    'fault 7: both sides ask the system to look after the other one',
    async () => {
      const { handle, heard } = await served();
      await dialled(handle.port);
      await until(() => expect(heard).toHaveLength(1));
      const hex = handle.port.toString(16).toUpperCase().padStart(4, '0');
      const lines = readFileSync('/proc/net/tcp', 'utf8')
        .split('\n')
        .map((line) => line.trim().split(/\s+/));
      // State 01 is an open connection; 02 before the colon is a timer of keep-alive.
      const open = lines.filter(
        ([, from, to, state]) => state === '01' && `${from ?? ''} ${to ?? ''}`.includes(`:${hex}`),
      );
      expect(open.map(([, , , , , timer]) => timer?.split(':')[0])).toEqual(['02', '02']);
    },
  );
});

describe('ends', () => {
  test('the end of input is in order; half a line before it is a fault', async () => {
    const port = await bare((one) => one.end('{"jsonrpc":"2.0","method":"a"}\n{"jsonrpc"'));
    const { heard } = await dialled(port);
    await until(() => expect(heard.closeErrors).toEqual([undefined]));
    expect(heard.messages).toHaveLength(1);
    expect(heard.faults).toMatchObject([{ code: 'TRUNCATED' }]);
  });

  test('fault 8: a reset is a loss, at once, with its cause, and no message is made of half a line', async () => {
    const port = await bare((one) => {
      one.write('{"jsonrpc":"2.0","method":"half');
      one.once('data', () => one.resetAndDestroy());
    });
    const { connection, heard } = await dialled(port);
    await connection.send(ping(1));
    await until(() =>
      expect(heard.closeErrors).toMatchObject([{ code: 'CONNECTION_LOST', cause: { code: 'ECONNRESET' } }]),
    );
    expect(heard.messages).toEqual([]);
    await expect(connection.send(ping(2))).rejects.toMatchObject({ code: 'CLOSED', outcome: 'not-sent' });
  });

  test('closing takes bounded time where the other side neither reads nor ends', async () => {
    const port = await bare((one) => void one.pause());
    const { connection, heard } = await dialled(port);
    const sends = Array.from({ length: 400 }, (_, id) =>
      connection.send(ping(id, { pad: 'x'.repeat(100_000) })).then(
        () => 'taken',
        ({ code }: { code: string }) => code,
      ),
    );
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const closing = connection.close();
    // 1 s for what was sent, and 1 s for the other side to end.
    await vi.advanceTimersByTimeAsync(2_000);
    await closing;
    expect(heard.closeErrors).toEqual([undefined]);
    expect(await Promise.all(sends)).toContain('CLOSED');
  });
});

describe('input', () => {
  test('row 1: a server that sends a line without end is disconnected', async () => {
    const port = await bare((one) => {
      const flood = (): void => {
        while (!one.destroyed && one.write('a'.repeat(65_536)));
        one.once('drain', flood);
      };
      flood();
    });
    const { heard } = await dialled(port, { maxMessageBytes: 1024 * 1024 });
    await until(() => expect(heard.closeErrors).toMatchObject([{ code: 'OVERFLOW' }]));
  });
});
