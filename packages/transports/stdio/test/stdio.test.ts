import { tmpdir } from 'node:os';
import { acceptedImmediately, processMemory } from '@rxmcp/transport';
import { describe, expect, test } from 'vitest';
import { leaveMemory } from '../../../../vitest.memory.js';
import { stdio } from '../src/index.js';
import { childEnvironment, rejectBatchFile } from '../src/client/stdio.js';
import { detailsOf, dialPeer, runs, turnsUntil, until } from './child.js';

const ping = (id: number, params = {}) => ({ jsonrpc: '2.0', id, method: 'ping', params }) as const;

describe('dialling', () => {
  test('a program that is not there fails with DIAL_FAILED and its name', async () => {
    const dialled = stdio({ command: 'no-such-program' }).dial();
    await expect(dialled).rejects.toMatchObject({ code: 'DIAL_FAILED', outcome: 'not-sent' });
    await expect(dialled).rejects.toThrow('"no-such-program"');
  });

  test('a working directory that is not there is named too', async () => {
    const dialled = stdio({ command: process.execPath, cwd: '/no/such/folder' }).dial();
    await expect(dialled).rejects.toThrow('"/no/such/folder"');
  });

  test('arguments that cannot be passed fail with DIAL_FAILED', async () => {
    const dialled = stdio({ command: process.execPath, args: ['a\0b'] }).dial();
    await expect(dialled).rejects.toMatchObject({ code: 'DIAL_FAILED' });
  });

  test('an aborted dial leaves no child', async () => {
    const abort = new AbortController();
    const dialled = stdio({
      command: process.execPath,
      args: ['-e', 'setInterval(()=>{},1e3)', 'rxmcp-aborted'],
    }).dial({
      signal: abort.signal,
    });
    abort.abort();
    await expect(dialled).rejects.toMatchObject({ code: 'DIAL_ABORTED' });
    expect(process.listeners('exit').filter((listener) => listener.name === 'killAll')).toEqual([]);
  });
});

describe('row 87: how a child is started', () => {
  test('arguments arrive as they are, no shell reads them', async () => {
    const args = ['$HOME; echo pwned', '`id`', '*', '"', "it's", '&& exit 1', '-x', ''];
    const { heard } = await dialPeer(['env', ...args], { cwd: tmpdir() });
    await until(() => expect(heard.messages).toHaveLength(1));
    expect(heard.messages[0]).toMatchObject({ params: { argv: args, cwd: tmpdir() } });
  });

  test('the environment is the safe list and what the caller adds', async () => {
    process.env['RXMCP_TEST_SECRET'] = 'secret';
    const { heard } = await dialPeer(['env'], { env: { ADDED: 'yes' } });
    await until(() => expect(heard.messages).toHaveLength(1));
    delete process.env['RXMCP_TEST_SECRET'];
    const { env } = (heard.messages[0] as { params: { env: Record<string, string> } }).params;
    expect(env).toMatchObject({ ADDED: 'yes', PATH: process.env['PATH'] });
    expect(Object.keys(env)).not.toContain('RXMCP_TEST_SECRET');
  });

  test('exported shell functions and other systems names are left out', () => {
    const own = { HOME: '() { :; }', PATH: '/bin', APPDATA: 'x' };
    expect(childEnvironment({}, own, 'linux')).toEqual({ PATH: '/bin' });
    expect(childEnvironment({}, own, 'win32')).toEqual({ PATH: '/bin', APPDATA: 'x' });
  });

  test.each(['npx.cmd', 'A.BAT', 'x.bat .'])('%s is refused on Windows', (command) => {
    expect(() => rejectBatchFile(command, 'win32')).toThrow(command);
    expect(() => rejectBatchFile(command, 'linux')).not.toThrow();
  });
});

describe('messages', () => {
  test('row 3: many in one chunk, larger in sum than the limit', async () => {
    const { connection, heard } = await dialPeer(['echo'], { maxMessageBytes: 1_000 });
    for (let id = 0; id < 200; id += 1)
      expect(connection.send(ping(id, { x: 'é'.repeat(200) }))).toBe(acceptedImmediately);
    await until(() => expect(heard.messages).toHaveLength(200));
    expect(heard.messages.map((message) => (message as { id: number }).id)).toEqual([...Array(200).keys()]);
  });

  test('one that is too large is refused as not sent, and the connection lives', async () => {
    const { connection, heard } = await dialPeer(['echo'], { maxMessageBytes: 1_000 });
    const sent = connection.send(ping(1, { x: 'é'.repeat(480) }));
    await expect(sent).rejects.toMatchObject({ code: 'TOO_LARGE', outcome: 'not-sent' });
    void connection.send(ping(2));
    await until(() => expect(heard.messages).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }]));
  });

  test('row 6: a line that is not UTF-8 is a fault, the next one is read', async () => {
    const { connection, heard } = await dialPeer(['utf8']);
    void connection.send(ping(1));
    await until(() => expect(heard.messages).toHaveLength(1));
    expect(heard.faults).toMatchObject([{ code: 'PARSE_ERROR' }]);
  });
});

describe('row 9: noise on stdout', () => {
  test('is skipped, counted and shown escaped, at most 200 characters of it', async () => {
    const { connection, heard } = await dialPeer(['banner']);
    void connection.send(ping(1));
    await until(() => expect([heard.messages.length, heard.faults.length]).toEqual([1, 2]));
    expect(heard.faults).toMatchObject([
      { code: 'UNEXPECTED_OUTPUT', details: { count: 1 } },
      { code: 'UNEXPECTED_OUTPUT', details: { count: 2 } },
    ]);
    expect(heard.faults[0]?.message).toContain('Starting\\u0007 server');
    expect(heard.faults[1]?.message.length).toBeLessThan(260);
  });

  test.each(['noisy', 'braces', 'arrays', 'records', 'bytes'])(
    '100 KiB of it before the first message end the connection and the child: %s',
    async (mode) => {
      const { heard } = await dialPeer([mode]);
      await until(() =>
        expect(heard.closeErrors).toMatchObject([{ code: 'OVERFLOW', details: { signal: 'SIGKILL' } }]),
      );
      expect(heard.faults.filter(({ code }) => code === 'UNEXPECTED_OUTPUT').length).toBeLessThanOrEqual(16);
    },
  );

  test('that begins like a message is reported as what it is, and the first message is delivered', async () => {
    const { connection, heard } = await dialPeer(['records-first']);
    void connection.send(ping(1));
    await until(() =>
      expect(heard.messages).toEqual([{ level: 'info' }, { jsonrpc: '2.0', id: 1, result: {} }]),
    );
    expect(heard.faults).toMatchObject([{ code: 'UNEXPECTED_OUTPUT', details: { count: 1 } }]);
  });
});

describe('row 88: stderr', () => {
  test('10 MiB that are not read stall nothing; the last 64 KiB are kept', async () => {
    const { connection, heard } = await dialPeer(['stderr']);
    void connection.send(ping(1));
    await until(() => expect(heard.messages).toHaveLength(1));
    void connection.send({ jsonrpc: '2.0', method: 'die', params: { code: 5 } });
    await until(() => expect(heard.closeErrors).toHaveLength(1));
    const { stderr, exitCode } = detailsOf(heard);
    expect(exitCode).toBe(5);
    expect(stderr).toHaveLength(64 * 1024);
    expect(stderr).toMatch(/e\ndone$/);
  });

  test('a function gets its lines, and may throw', async () => {
    const lines: string[] = [];
    const { heard } = await dialPeer(['fail'], {
      stderr(line) {
        lines.push(line);
        throw new Error('mine');
      },
    });
    await until(() => expect(heard.closeErrors).toHaveLength(1));
    expect(lines).toEqual(['first', 'no such table']);
  });
});

test('every child has exited at the end', () => {
  expect(runs(process.pid)).toBe(true);
  expect(process.listeners('exit').filter((listener) => listener.name === 'killAll')).toEqual([]);
});

test('the unfinished line of a child is charged until it is finished', async () => {
  const memory = processMemory();
  const idle = memory.heldBytes;
  const { connection, heard } = await dialPeer(['begun', '200000']);
  await turnsUntil(() => memory.heldBytes > idle + 200_000);
  void connection.send(ping(1));
  await turnsUntil(() => heard.messages.length === 1);
  expect(memory.heldBytes).toBe(idle);
});

test('a child whose line takes too much memory is ended with OVERFLOW', async () => {
  leaveMemory(processMemory(), 100_000);
  const { heard } = await dialPeer(['begun', '400000']);
  await turnsUntil(() => heard.closeErrors.length === 1);
  expect(heard.closeErrors).toMatchObject([
    { code: 'OVERFLOW', message: expect.stringContaining('memory budget of this process') },
  ]);
});
