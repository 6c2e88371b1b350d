import { describe, expect, onTestFinished, test } from 'vitest';
import { runs, until } from './child.js';
import { exit, server, start } from './serving-process.js';

describe('the end of a serving process, timers alive', () => {
  test('end of input: exit 0, and no waiting for a drain', async () => {
    const { child, ready } = start([...server, '600000']);
    await ready();
    child.stdin.end();
    expect(await exit(child)).toMatchObject({ code: 0 });
  });

  test('end of input: running work is answered first', async () => {
    const { child, messages, say, ready } = start();
    await ready();
    say({ jsonrpc: '2.0', id: 1, method: 'later', params: { ms: 200 } });
    child.stdin.end();
    expect(await exit(child)).toMatchObject({ code: 0 });
    await until(() => expect(messages).toEqual([{ jsonrpc: '2.0', id: 1, result: { late: true } }]));
  });

  test('end of input: work that never ends is waited for no longer than drainTimeoutMs', async () => {
    const { child, say, ready } = start([...server, '200']);
    await ready();
    say({ jsonrpc: '2.0', id: 1, method: 'never' });
    child.stdin.end();
    expect(await exit(child)).toMatchObject({ code: 0 });
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('%s: drain, exit 0', async (signal) => {
    const { child, messages, say, ready } = start();
    await ready();
    say({ jsonrpc: '2.0', id: 1, method: 'later', params: { ms: 100 } });
    say({ jsonrpc: '2.0', id: 2, method: 'echo', params: {} });
    await until(() => expect(messages).toHaveLength(1));
    child.kill(signal);
    expect(await exit(child)).toMatchObject({ code: 0, signal: null });
    await until(() => expect(messages).toHaveLength(2));
  });

  test('a connection that its own side closes ends the process', async () => {
    const { child, say, ready } = start();
    await ready();
    say({ jsonrpc: '2.0', id: 1, method: 'close' });
    expect(await exit(child)).toMatchObject({ code: 0 });
  });

  test.each([
    ['its input ends with it', "'pipe'"],
    ['somebody else holds its input open', 'holder.stdout'],
  ])('fault 2: a killed parent takes it along, when %s', async (_, input) => {
    const parent = `
      const { spawn } = require('node:child_process');
      const holder = spawn('sleep', ['60'], { stdio: ['ignore', 'pipe', 'ignore'] });
      const server = spawn(process.execPath, ${JSON.stringify(server)}, { stdio: [${input}, 'inherit', 'inherit'] });
      console.log(JSON.stringify({ holder: holder.pid }));
      setInterval(() => undefined, 1000);`;
    const { child, messages } = start(['-e', parent]);
    await until(() => expect(messages).toMatchObject([{ holder: expect.any(Number) }, { method: 'hello' }]));
    const holder = messages[0]?.['holder'] as number;
    onTestFinished(() => void process.kill(holder, 'SIGKILL'));
    const { pid } = messages[1]?.['params'] as { pid: number };
    expect(runs(pid)).toBe(true);
    child.kill('SIGKILL');
    await until(() => expect(runs(pid)).toBe(false));
    expect(runs(holder)).toBe(true);
  });
});

describe('standard output', () => {
  test('carries messages only: console and stray writes go to stderr, a stray one is a fault', async () => {
    const { messages, stderr, say, ready } = start();
    await ready();
    say({ jsonrpc: '2.0', id: 1, method: 'print' });
    await until(() => expect(messages).toHaveLength(2));
    expect(messages).toMatchObject([
      { method: 'fault', params: { code: 'UNEXPECTED_OUTPUT' } },
      { id: 1, result: { printed: true } },
    ]);
    await until(() => expect(stderr()).toContain('from a dependency'));
    expect(stderr()).toContain('from console.log');
    expect(stderr()).toContain('(index)');
  });
});
