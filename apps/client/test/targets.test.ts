import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadTransport } from '@rxmcp/app-serving/custom-transport';
import { defineServer } from 'rxmcp';
import { serveSocket, type ServeSocketOptions } from 'rxmcp/stdio/net';
import { offerTools, text, tool } from 'rxmcp/tools';
import { describe, expect, it, onTestFinished } from 'vitest';
import { transportTo } from '../src/target/target.js';
import { useCli } from './cli.js';
import { tempFolder } from './temp-folder.js';
import { urlServer } from './url-server.js';

const { run, runApart, server } = useCli();

/** A server of lines at a socket. Returns its port. */
async function served(at: ServeSocketOptions): Promise<number> {
  const echo = tool('echo', {}, (args) => text(JSON.stringify(args)));
  const handle = await serveSocket(
    defineServer({ info: { name: 'socket', version: '1.0.0' }, offers: [offerTools([echo])] }),
    at,
  );
  onTestFinished(() => handle.close());
  return handle.port;
}

const called = { code: 0, lines: [{ content: [{ text: '{"a":1}' }] }] };

it('a TCP port is a target in each of its forms', async () => {
  const port = await served({ port: 0 });
  for (const target of [`tcp://127.0.0.1:${port}`, `tcp:${port}`])
    expect(await run(['call', 'echo', '{"a":1}', target])).toMatchObject(called);
});

it('a Unix socket is a target in each of its forms', async () => {
  const path = join(await tempFolder(), 'socket');
  await served({ path });
  for (const target of [`unix:${path}`, `unix://${path}`])
    expect(await run(['call', 'echo', '{"a":1}', target])).toMatchObject(called);
});

it('a URL of sse+http is HTTP+SSE and nothing else', async () => {
  const { url } = await urlServer('sse');
  expect(await run(['call', 'echo', '{"a":1}', `sse+${url}`])).toMatchObject(called);
  const { url: other } = await urlServer('http');
  expect((await run(['tools', `sse+${other}`])).code).toBe(3);
});

it.each([
  [['tools', 'node', 'x.mjs'], 'If these words start a server, write -- before them: -- node x.mjs'],
  [
    ['tools', 'node'],
    'no server "node" in ./mcp.json and the config files of hosts. The command that starts a server stands after --, as in -- node\n',
  ],
  [['tools', 'node x.mjs'], 'stands after --, as in -- node x.mjs\n'],
  [['tools', 'a-server.mjs'], 'stands after --, as in -- node a-server.mjs\n'],
  [['tools', 'localhost:3000'], 'An address begins with its scheme: http://localhost:3000\n'],
  [['tools', ':3000/mcp'], 'An address begins with its scheme: http://localhost:3000/mcp\n'],
  [['tools', 'example.com/mcp'], 'An address begins with its scheme: http://example.com/mcp\n'],
  [['tools', 'http:/x'], '. A URL begins with its scheme, a colon and two slashes: http://x\n'],
  [['tools', 'http//x'], 'and two slashes: http://x\n'],
  [['tools', 'https:example.com/mcp'], 'and two slashes: https://example.com/mcp\n'],
  [['tools', 'sse+http:127.0.0.1:1/sse'], 'and two slashes: sse+http://127.0.0.1:1/sse\n'],
  [['tools', 'none.mjs'], 'available: none\n'],
])('%j says how the target is written', async (args, wanted) => {
  const cwd = await tempFolder();
  await writeFile(join(cwd, 'a-server.mjs'), '');
  const { code, stderr } = await run(args, { cwd, env: { HOME: cwd } });
  expect(stderr).toContain(wanted);
  expect(code).toBe(2);
});

it.each(['tools', 'doctor'])(
  '%s says that a program and its arguments are separate words',
  async (command) => {
    const { code, stdout, stderr } = await run([command, '--', 'node main.js']);
    expect(stdout + stderr).toContain(
      'A program and its arguments are separate words: no quotes around them after --',
    );
    expect(code).toBe(3);
  },
);

describe('--transport', () => {
  const own = fileURLToPath(new URL('fixtures/own-transport.mjs', import.meta.url));

  it('connects through a function that returns a transport', async () => {
    const path = join(await tempFolder(), 'socket');
    await served({ path });
    const env = { OWN_SOCKET: path };
    expect(await runApart(['call', 'echo', '{"a":1}', '--transport', own], { env })).toMatchObject(called);
  });

  it.each([
    ['./none.mjs', '', 'Cannot find module'],
    ['./bad.mjs', 'export default', 'Unexpected'],
    ['./empty.mjs', 'export {}', 'it exports nothing'],
    ['./other.mjs', 'export default { name: "x" }', 'it exports another value'],
    ['./void.mjs', 'export default () => undefined', 'a function that returns none'],
    ['./thrown.mjs', 'export default () => { throw new Error("not today") }', 'not today'],
  ])('%s with %j fails in one line', async (file, code, named) => {
    const cwd = await tempFolder();
    if (code !== '') await writeFile(join(cwd, file), code);
    const whole = join(cwd, file);
    const error = await loadTransport(whole).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ name: 'UsageError', message: expect.stringContaining(named) });
    expect((error as Error).message).toContain(`--transport "${whole}" failed: `);
  });

  it('that fails is wrong usage, in one line', async () => {
    const ended = await run(['tools', '--transport', './none.mjs'], { cwd: await tempFolder() });
    expect(ended.stderr).toContain('--transport "./none.mjs" failed: Cannot find module');
    expect([ended.code, ended.stderr.split('\n').length]).toEqual([2, 3]);
  });

  it('takes neither headers nor variables', async () => {
    expect((await run(['tools', '--transport', own, '--header', 'a: b'])).stderr).toContain(
      '--header is for',
    );
    expect((await run(['tools', '--transport', own, '--env', 'A=b'])).stderr).toContain('--env is for');
  });
});

it.each([
  ['ftp://a/b', 'no transport for "ftp:". Did you mean http or tcp?'],
  ['htps://a/b', 'no transport for "htps:". Did you mean https'],
  ['sse+ws://a', 'no transport for "sse+ws:"'],
  ['tcp:', '"tcp:" has no valid port: write tcp://HOST:PORT'],
  ['tcp://a:70000', 'has no valid port'],
  ['tcp://a:1/path', 'has no valid port'],
  ['unix:', '"unix:" has no path'],
  ['sse+http://', 'is not a valid URL'],
  ['http://a:b@c/', 'must not contain credentials'],
])('%s is wrong usage', async (target, named) => {
  const dialled = transportTo({ kind: 'url', url: target, headers: {} }, () => undefined, {});
  await expect(dialled).rejects.toMatchObject({
    name: 'UsageError',
    message: expect.stringContaining(named),
  });
});

it('a server that is started gets --env, and no --header', async () => {
  expect((await run(['call', 'env', '--env', 'GREETING=hi', ...server()])).stdout).toContain('hi');
});
