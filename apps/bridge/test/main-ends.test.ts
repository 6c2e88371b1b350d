import { createServer } from 'node:net';
import { once as event } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Remote } from 'rxmcp';
import { once } from 'rxmcp';
import { tools } from 'rxmcp/tools';
import { transportFor } from 'rxmcp/url';
import { gone, type Running, runs, usePrograms } from './program.js';
import { answering } from './scenes.js';
import { until } from './until.js';

const { start, startByMortal, behind } = usePrograms();

const info = { name: 'raw', version: '1' };
const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: info };
const call = (id: number, name: string) => ({ id, method: 'tools/call', params: { name, arguments: {} } });

/** Writes messages to the bridge, one a line. */
function write({ child }: Running, ...messages: readonly object[]): void {
  for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/** A bridge whose client has shaken hands with the server behind it. */
async function opened(...args: string[]): Promise<Running> {
  const bridge = start(['--', ...behind(...args)]);
  write(bridge, { id: 0, method: 'initialize', params }, { method: 'notifications/initialized' });
  await until(() => responses(bridge).length === 1 && bridge.behind().length === 1);
  return bridge;
}

function responses({ stdout }: Running): { id?: number; result?: unknown; error?: { code: number } }[] {
  const lines = stdout().split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as { id?: number });
}

async function connected(url: string | undefined): Promise<Remote> {
  const remote = await answering('2025-11-25').connect(transportFor(url ?? ''));
  onTestFinished(() => remote.close());
  return remote;
}

describe('the end of input', () => {
  it('lets running requests finish, then ends the server in order and the program with 0', async () => {
    const bridge = await opened();
    write(bridge, call(1, 'slow'));
    await until(() => bridge.stderr().includes('slow begun'));
    bridge.child.stdin.end();
    expect(await bridge.ended).toBe(0);
    expect(responses(bridge).at(-1)).toMatchObject({ id: 1, result: { content: [{ text: 'late' }] } });
    expect(bridge.stderr()).toContain('ended in order');
    await gone(bridge.behind());
  });

  it('ends the listeners next to the pipe too', async () => {
    const bridge = start(['--stdio', '--http', '0', '--', ...behind()]);
    const [url] = await bridge.listening(1);
    await connected(url);
    bridge.child.stdin.end();
    expect(await bridge.ended).toBe(0);
    await gone(bridge.behind());
    await expect(fetch(url ?? '')).rejects.toThrow();
  });
});

describe('a program that is killed', () => {
  it('ends the server too, however the program is killed', async () => {
    const bridge = await opened();
    bridge.child.kill('SIGKILL');
    await bridge.ended;
    await gone(bridge.behind());
  });

  it('ends in order on request, also with a pipe next to a listener', async () => {
    const bridge = start(['--stdio', '--http', '0', '--', ...behind()]);
    const [url] = await bridge.listening(1);
    await connected(url);
    bridge.child.kill('SIGTERM');
    expect(await bridge.ended).toBe(0);
    await gone(bridge.behind());
  });

  it.skipIf(process.platform === 'win32')(
    'ends with its parent, also where another process holds its input',
    async () => {
      const bridge = startByMortal(['--', ...behind()]);
      await until(() => bridge.behind().length === 1);
      bridge.child.kill('SIGUSR2');
      // Its streams are those of the bridge: they close with that.
      await bridge.ended;
      await gone(bridge.behind());
    },
  );

  it('ends in order where its output is not read any more', async () => {
    const bridge = await opened();
    bridge.child.stderr.destroy();
    bridge.child.stdin.end();
    expect(await bridge.ended).toBe(0);
    await gone(bridge.behind());
  });

  it.skipIf(process.platform === 'win32')(
    'kills a server that ignores the first signal at the second signal',
    async () => {
      const bridge = await opened('stubborn');
      const [pid = 0] = bridge.behind();
      bridge.child.kill('SIGINT');
      await until(() => bridge.stderr().includes('\nstays\n'));
      expect(runs(pid)).toBe(true);
      bridge.child.kill('SIGINT');
      expect(await bridge.ended).toBe(130);
      await gone([pid]);
    },
  );
});

describe('a server that dies', () => {
  it('ends the program with 1, after its client was notified', async () => {
    const bridge = await opened();
    write(bridge, call(1, 'hang'), call(2, 'die'));
    expect(await bridge.ended).toBe(1);
    const lost = { error: { code: -31003, data: { code: 'CONNECTION_LOST', outcome: 'unknown' } } };
    expect(responses(bridge).slice(1)).toMatchObject([
      { id: 1, ...lost },
      { id: 2, ...lost },
    ]);
    expect(bridge.stderr()).toContain('CONNECTION_LOST: the server side was lost');
  });

  it('ends its own session only, where several are served', async () => {
    const bridge = start(['--ws', '0', '--', ...behind()]);
    const [url] = await bridge.listening(1);
    const [one, other] = [await connected(url), await connected(url)];
    const [first = 0, second = 0] = bridge.behind();
    await once(tools(one).call('die')).catch(() => undefined);
    await gone([first]);
    expect(runs(second)).toBe(true);
    expect((await once(tools(other).call('echo'))).content).toMatchObject([{ text: '{}' }]);
  });

  it('that cannot be started is reported to the client, and ends the program with 1', async () => {
    const bridge = start(['--', '/no/such/server']);
    write(bridge, { id: 0, method: 'initialize', params });
    expect(await bridge.ended).toBe(1);
    expect(responses(bridge)).toMatchObject([{ id: 0, error: { code: -31003 } }]);
    expect(bridge.stderr()).toContain('DIAL_FAILED');
  });
});

describe('exit codes', () => {
  it.each([
    [['--http', '70000', 'http://x.test']],
    [['ftp://x.test/']],
    [['--htp', '0', 'http://x.test']],
    [[]],
  ])('%j exits with 2, with the reason in one line and nothing on standard output', async (args) => {
    const bridge = start(args);
    bridge.child.stdin.end();
    expect(await bridge.ended).toBe(2);
    expect(bridge.stdout()).toBe('');
    expect(bridge.stderr()).toMatch(/^.+\n$/);
  });

  it('invalid tokens exit with 2, and are not shown', async () => {
    const bridge = start(['--http', '0', 'http://x.test'], { RXMCP_TOKENS: 'her-token' });
    expect(await bridge.ended).toBe(2);
    expect(bridge.stderr()).not.toContain('her-token');
  });

  it('a command that does not exist exits with 1 before anything listens', async () => {
    const bridge = start(['--http', '0', '--', '/no/such/server']);
    expect(await bridge.ended).toBe(1);
    expect(bridge.stderr()).toBe(
      'cannot start "/no/such/server": ENOENT. Install the program, or correct its name\n',
    );
  });

  it('a port in use exits with 1, also where others are free', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await event(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const bridge = start(['--http', '0', '--ws', String(port), 'http://x.test']);
    expect(await bridge.ended).toBe(1);
    expect(bridge.stderr()).toMatch(/EADDRINUSE.*\. Pass another port, or 0 for a free one\n$/);
  });
});

it('requires a token from callers, where tokens are given', async () => {
  const bridge = start(['--http', '0', '--', ...behind()], { RXMCP_TOKENS: '{"ada":"her-token"}' });
  const [url = ''] = await bridge.listening(1);
  const post = (headers: Record<string, string>) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }),
    });
  expect((await post({})).status).toBe(401);
  expect(bridge.behind()).toEqual([]);
  const response = await post({ authorization: 'Bearer her-token' });
  await response.text();
  expect(response.status).toBe(200);
});
