import { recording } from '@rxmcp/transport-tck/recording';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stdio } from '../src/index.js';
import { dialPeer, peer, runs, until } from './child.js';
import { flooded } from './found.js';
import { signalsSent } from './signals.js';

const ping = (id: number, params = {}) => ({ jsonrpc: '2.0', id, method: 'ping', params }) as const;
const die = (code: number) => ({ jsonrpc: '2.0', method: 'die', params: { code } }) as const;
const pids = (messages: readonly unknown[]): number[] =>
  messages.map((message) => (message as { params: { pid: number } }).params.pid);

const closeTimeouts = { stdinTimeoutMs: 100, sigtermTimeoutMs: 100 };

describe('a child that ends by itself', () => {
  test('with a failure: CONNECTION_LOST with exit code, signal and stderr', async () => {
    const { heard } = await dialPeer(['fail']);
    await until(() => expect(heard.closeErrors).toHaveLength(1));
    expect(heard.closeErrors).toMatchObject([
      { code: 'CONNECTION_LOST', details: { exitCode: 3, signal: null, stderr: 'first\nno such table\n' } },
    ]);
    expect(heard.closeErrors[0]?.message).toMatch(/exited with code 3: no such table$/);
  });

  test('with an uncaught error: the message quotes it, not the last line', async () => {
    const { heard } = await dialPeer(['crash']);
    await until(() => expect(heard.closeErrors).toHaveLength(1));
    const { message = '', details } = heard.closeErrors[0] ?? {};
    expect(message).toMatch(/exited with code 1: TypeError: Cannot read properties of undefined/);
    expect(details?.['stderr']).toMatch(/Node\.js v\S+\s*$/);
  });

  test('row 84: its last output is shown escaped and cut in the message, and whole in the details', async () => {
    const { heard } = await dialPeer(['rude']);
    await until(() => expect(heard.closeErrors).toHaveLength(1));
    const { message = '', details } = heard.closeErrors[0] ?? {};
    expect(message).toContain('exited with code 3: \\u001b[2J\\u009b\\u202e"gone" \\u0000xxx');
    expect(message.length).toBeLessThan(process.execPath.length + 250);
    expect(details).toMatchObject({ stderr: expect.stringContaining('\u001b[2J') });
  });

  test('in order: PEER_CLOSED', async () => {
    const { connection, heard } = await dialPeer(['echo']);
    void connection.send(die(0));
    await until(() =>
      expect(heard.closeErrors).toMatchObject([{ code: 'PEER_CLOSED', details: { exitCode: 0 } }]),
    );
    await expect(connection.send(ping(1))).rejects.toMatchObject({ code: 'CLOSED', outcome: 'not-sent' });
  });

  test('its last output is read before closed', async () => {
    const { heard } = await dialPeer(['last', '300000']);
    await until(() => expect(heard.closeErrors).toHaveLength(1));
    expect(heard.messages.map((message) => (message as { method: string }).method)).toEqual(['big', 'last']);
  });

  test('the last output of what it left running is read before closed', async () => {
    const { connection, heard } = await dialPeer(['heir']);
    await until(() => expect(heard.messages).toMatchObject([{ method: 'ready' }]));
    void connection.send(die(1));
    await until(() => expect(heard.closeErrors).toHaveLength(1));
    expect(heard.messages).toMatchObject([{ method: 'ready' }, { method: 'last' }]);
  });

  test('row 4: half a line is TRUNCATED, never parsed', async () => {
    const { heard } = await dialPeer(['half']);
    await until(() => expect(heard.closeErrors).toHaveLength(1));
    expect(heard.messages).toEqual([{ jsonrpc: '2.0', method: 'whole' }]);
    expect(heard.faults).toMatchObject([{ code: 'TRUNCATED' }]);
  });

  test('row 1: a line that never ends is OVERFLOW, and the child is killed', async () => {
    const { code, signal, grownMiB } = await flooded('endless', 4 * 1024 * 1024);
    expect([code, signal]).toEqual(['OVERFLOW', 'SIGKILL']);
    expect(grownMiB).toBeLessThan(32);
  });

  test('a child that closes its input but lives is lost, and killed', async () => {
    const { connection, heard } = await dialPeer(['closes-input'], {}, (_, c) => void c.send(ping(1)));
    await until(() =>
      expect(heard.closeErrors).toMatchObject([{ code: 'CONNECTION_LOST', details: { signal: 'SIGKILL' } }]),
    );
    expect(heard.closeErrors[0]?.message).toContain('closed its input');
    await connection.close();
  });

  test('a child that is ended before the start, since a write failed, is reported then', async () => {
    let pid = 0;
    const stderr = (line: string): void => void (pid = Number(line));
    const connection = await stdio({
      command: process.execPath,
      args: [peer, 'closes-input'],
      stderr,
    }).dial();
    onTestFinished(() => connection.close());
    await until(() => expect(pid).toBeGreaterThan(0));
    await connection.send(ping(1));
    // It is collected, and not only dead.
    await until(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));
    await new Promise(setImmediate);
    const heard = recording();
    connection.start(heard);
    await until(() => expect(heard.closeErrors).toMatchObject([{ code: 'CONNECTION_LOST' }]));
  });
});

describe('closing', () => {
  test('the end of input is enough for a well-behaved child', async () => {
    const { connection, heard } = await dialPeer(['echo']);
    const signals = signalsSent();
    await Promise.all([connection.close(), connection.close()]);
    expect(signals).toEqual([]);
    expect(heard.closeErrors).toEqual([undefined]);
  });

  test('fault 4: a child that ignores the end of input and SIGTERM is killed', async () => {
    const { connection, heard } = await dialPeer(['stubborn'], { closeTimeouts });
    await until(() => expect(heard.messages).toHaveLength(1));
    const signals = signalsSent();
    await connection.close();
    expect(signals).toEqual(['SIGTERM', 'SIGKILL']);
    expect(heard.closeErrors).toEqual([undefined]);
  });

  test('fault 3: close ends three levels, the inner ones ignoring everything but SIGKILL', async () => {
    const { connection, heard } = await dialPeer(['tree', '2'], { closeTimeouts });
    await until(() => expect(heard.messages).toHaveLength(3));
    const tree = pids(heard.messages);
    expect(tree.map(runs)).toEqual([true, true, true]);
    const signals = signalsSent();
    await connection.close();
    expect(signals).toEqual(['SIGTERM', 'SIGKILL']);
    await until(() => expect(tree.map(runs)).toEqual([false, false, false]));
  });

  test('fault 3: the levels below a leader that died by itself are ended too', async () => {
    const { connection, heard } = await dialPeer(['tree', '2'], { closeTimeouts });
    await until(() => expect(heard.messages).toHaveLength(3));
    const tree = pids(heard.messages);
    void connection.send(die(7));
    await until(() =>
      expect(heard.closeErrors).toMatchObject([{ code: 'CONNECTION_LOST', details: { exitCode: 7 } }]),
    );
    await until(() => expect(tree.map(runs)).toEqual([false, false, false]));
  });
});
