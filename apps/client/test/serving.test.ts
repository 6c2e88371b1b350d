import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { exhaustive } from '../../../vitest.exhaustive.js';
import { atTerminal } from '../../../vitest.terminal.js';
import { useCli } from './cli.js';
import { tempFolder } from './temp-folder.js';

const { run, start, server, program } = useCli();

/** Starts a command that serves; resolves with the URL at which it listens. */
async function listening(
  args: readonly string[],
  cwd?: string,
): Promise<{ url: string; end(): Promise<number | null> }> {
  const { child, shown, finished } = start(args, cwd === undefined ? {} : { cwd });
  let stderr = '';
  child.stderr.on('data', (text: string) => (stderr += text));
  await shown('listening ');
  const [, url = ''] = /^listening (\S+)$/m.exec(stderr) ?? [];
  return {
    url,
    end() {
      child.kill('SIGTERM');
      return finished.then(({ code }) => code);
    },
  };
}

async function config(names: readonly string[], more: object = {}): Promise<{ cwd: string; file: string }> {
  const cwd = await tempFolder();
  const [, command, ...args] = server();
  const servers = { ...Object.fromEntries(names.map((name) => [name, { command, args }])), ...more };
  const file = join(cwd, 'mcp.json');
  await writeFile(file, JSON.stringify({ mcpServers: servers }));
  return { cwd, file };
}

const echoed = { code: 0, lines: [{ content: [{ text: '{"a":1}' }] }] };

describe('serve', () => {
  // The listeners are those of apps/server.
  it.each(exhaustive ? ['http', 'sse', 'ws'] : ['http'])('serves a folder at --%s', async (carrier) => {
    const folder = await tempFolder();
    await writeFile(join(folder, 'note.txt'), 'Water the plants.');
    const { url, end } = await listening(['serve', folder, `--${carrier}`, '0']);
    const { lines } = await run(['read', pathToFileURL(join(folder, 'note.txt')).href, url]);
    expect(lines).toMatchObject([{ contents: [{ text: 'Water the plants.' }] }]);
    expect(await end()).toBe(143);
  });

  it('serves the current folder on standard input and output, and the revisions of --protocol', async () => {
    const cwd = await tempFolder();
    const words = program('serve', '--protocol', 'legacy');
    const { lines } = await run(['info', '--', ...words], { cwd });
    expect(lines).toMatchObject([{ server: { name: 'rxmcp-demo' }, protocol: '2025-11-25' }]);
  });

  it.each([
    [['nowhere'], 'there is no folder "nowhere"'],
    [['--http', 'x'], '--http "x" is not a port: pass a number up to 65535, or 0 for a free port'],
    [['--protocol', '2001-01-01'], '2001-01-01'],
    [['--transport', 'none.mjs'], '--transport "none.mjs" failed: '],
    [['--htp', '0'], 'serve has no option --htp. Did you mean --http'],
    [['a', 'b'], 'unexpected argument "b"'],
    [['--auth-scopes', 'a'], '--auth-audience and --auth-scopes need --auth-issuer'],
  ])('%j is wrong', async (args, reason) => {
    const { code, stderr } = await run(['serve', ...args], { cwd: await tempFolder() });
    expect(stderr).toContain(reason);
    expect(stderr).toContain('rxmcp serve --help lists its options');
    expect(code).toBe(2);
  });

  it('prints its version', async () => {
    expect((await run(['serve', '--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('says at a terminal what it does', async () => {
    const typed = [['serving one client', '\u0003']] as const;
    expect((await atTerminal(program('serve'), { typed, cwd: await tempFolder() })).code).toBe(130);
  });
});

it.each(['modern', 'legacy'])('a server gets no model in a pipe, and does without: %s', async (protocol) => {
  const cwd = await tempFolder();
  await writeFile(join(cwd, 'note.txt'), 'Water the roses. Feed the cat.');
  const words = ['call', 'summarize_file', 'filepath=note.txt', '--protocol', protocol];
  const found = await run(['call', 'search_files', 'query=roses', '--', ...program('serve', cwd)]);
  expect(found.stderr).toContain('search_files: 1 match in 1 file\n');
  const { code, lines } = await run([...words, '--', ...program('serve', cwd)]);
  expect(lines).toMatchObject([{ structuredContent: { by: 'extract', why: 'the client offers no model' } }]);
  expect(code).toBe(0);
});

describe('bridge', () => {
  // The listeners are those of `serve`.
  it.each(exhaustive ? ['http', 'sse', 'ws'] : ['http'])('joins --%s with a command', async (carrier) => {
    const { url, end } = await listening(['bridge', `--${carrier}`, '0', ...server()]);
    expect(await run(['call', 'echo', '{"a":1}', url])).toMatchObject(echoed);
    expect(await end()).toBe(143);
  });

  it('joins standard input and output with the server of a config', async () => {
    const { file } = await config(['demo']);
    const words = program('bridge', 'demo', '--config', file);
    expect(await run(['call', 'echo', '{"a":1}', '--', ...words])).toMatchObject(echoed);
  });

  it.each([
    [
      'a program that ends',
      ['--', process.execPath, '-e', 'process.exit(4)'],
      'code 4. Run its command alone to see why',
    ],
    ['a port without a server', ['tcp:9'], 'ECONNREFUSED.*Start the server'],
  ])('says at once that its server is %s', async (_what, to, cause) => {
    const { child, shown, finished } = start(['bridge', '--http', '0', ...to]);
    await shown('listening ');
    await shown('the server is not connected: ');
    child.kill('SIGTERM');
    expect((await finished).stderr).toMatch(new RegExp(`^the server is not connected: .*${cause}`, 'm'));
  });

  it('does not listen where its server is a program that does not exist', async () => {
    const { code, stderr } = await run(['bridge', '--http', '0', '--', '/nowhere/server']);
    expect(stderr).toBe(
      'DIAL_FAILED: cannot start "/nowhere/server": ENOENT. Install the program, or correct its name\n',
    );
    expect(code).toBe(3);
  });

  it('says what is wrong with its options', async () => {
    expect((await run(['bridge', '--http', 'x', 'demo'])).stderr).toContain('--http "x" is not a port');
    expect((await run(['bridge', '--max-clients', '0', 'demo'])).stderr).toContain('--max-clients');
    const { url, end } = await listening(['bridge', '--http', '0', ...server()]);
    const taken = await run(['bridge', '--http', new URL(url).port, ...server()]);
    expect(taken).toMatchObject({ code: 2, stderr: expect.stringContaining('is in use') as string });
    await end();
  });
});

describe('gateway', () => {
  it.each(['modern', 'legacy'])('serves the servers of a config as one to %s clients', async (protocol) => {
    const { file } = await config(['one', 'two'], { off: { command: 'x', disabled: true } });
    const { url, end } = await listening(['gateway', '--config', file, '--http', '0']);
    const to = [url, '--protocol', protocol];
    const names = (await run(['tools', ...to])).lines.map((line) => (line as { name: string }).name);
    expect(names).toEqual(expect.arrayContaining(['one-echo', 'two-echo']));
    expect(await run(['call', 'two-echo', '{"a":1}', ...to])).toMatchObject(echoed);
    const steps = await run(['call', 'one-steps', ...to]);
    expect(steps.stderr).toContain('progress: 1 of 2, half');
    const completed = await run(['complete', 'two-greet', '{"who":"A"}', ...to]);
    expect(completed.lines).toMatchObject([{ completion: { values: ['Ada', 'Alan'] } }]);
    await end();
  });

  it('says which server is not there, and serves the others', async () => {
    const { file } = await config(['one'], { lost: { command: '/nowhere/server' } });
    const words = program('gateway', '--config', file);
    const { code, lines, stderr } = await run(['tools', '--', ...words]);
    expect(lines).toContainEqual(expect.objectContaining({ name: 'one-echo' }));
    expect(stderr).toContain(
      'the server "lost" is not connected: DIAL_FAILED: cannot start "/nowhere/server": ENOENT',
    );
    expect(code).toBe(0);
  });

  it('says at once which server is not there, before a client comes', async () => {
    const { file } = await config(['one'], { lost: { command: '/nowhere/server' } });
    const { child, shown } = start(['gateway', '--config', file, '--http', '0']);
    await shown('the server "lost" is not connected: DIAL_FAILED: cannot start "/nowhere/server": ENOENT');
    child.kill('SIGTERM');
  });

  const eras = [
    ['modern', 'legacy'],
    ['legacy', 'modern'],
    ...(exhaustive ? [['modern', 'modern'] as const, ['legacy', 'legacy'] as const] : []),
  ] as const;
  it.each(eras)(
    'a client without roots uses the reference server as directly: %s, behind it %s',
    async (outer, inner) => {
      const cwd = await tempFolder();
      await writeFile(join(cwd, 'note.txt'), 'Water the roses. Feed the cat.');
      const [command, ...args] = program('serve', cwd);
      const file = join(cwd, 'mcp.json');
      await writeFile(file, JSON.stringify({ mcpServers: { desk: { command, args } } }));
      const gateway = program('gateway', '--config', file, '--protocol', inner);
      const to = ['--protocol', outer, '--', ...gateway];
      const found = await run(['call', 'desk-search_files', 'query=roses', ...to]);
      expect(found, found.stderr).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('note.txt') as string,
      });
      // The advice of the library is for programmers.
      expect(found.stderr).not.toContain('validator');
      const summary = await run(['call', 'desk-summarize_file', 'filepath=note.txt', ...to]);
      expect(summary.lines, summary.stderr).toMatchObject([
        { structuredContent: { by: 'extract', why: 'the client offers no model' } },
      ]);
    },
  );

  it('serves named servers, without prefixes with --no-prefix', async () => {
    const { file } = await config(['one', 'two']);
    const words = program('gateway', '--config', file, '--server', 'two', '--no-prefix');
    expect(await run(['call', 'echo', '{"a":1}', '--', ...words])).toMatchObject(echoed);
  });

  it('leaves out a tool whose name begins as those of another server', async () => {
    const source = String.raw`
      import { createInterface } from 'node:readline';
      const tools = ['enterprise-delete', 'enter'].map((name) => ({ name, inputSchema: { type: 'object' } }));
      const results = {
        initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
        'tools/list': { tools },
      };
      for await (const line of createInterface({ input: process.stdin })) {
        const { id, method } = JSON.parse(line);
        if (id === undefined) continue;
        const result = results[method];
        const error = { code: -32601, message: 'unknown' };
        console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }));
      }`;
    const args = ['--input-type=module', '-e', source];
    const hub = { command: process.execPath, args };
    const { file } = await config(['hub-enterprise'], { hub });
    const { lines, stderr } = await run(['tools', '--', ...program('gateway', '--config', file)]);
    const names = lines.map((line) => (line as { name: string }).name);
    expect(names).toEqual(expect.arrayContaining(['hub-enter', 'hub-enterprise-echo']));
    expect(names).not.toContain('hub-enterprise-delete');
    expect(stderr).toContain(
      'tools and prompts of the server "hub" whose names begin as those of "hub-enterprise" are left out, such as "enterprise-delete"',
    );
  });

  it.each([
    [['gateway'], 2, 'gateway needs --config FILE, or --server NAME'],
    [['gateway', '--config', 'none.json'], 6, 'none.json cannot be read: ENOENT'],
    [['gateway', '--config', 'mcp.json', '--server', 'three'], 2, 'no server "three"'],
  ])('%j is wrong', async (args, exit, named) => {
    const { cwd } = await config(['one']);
    const { code, stderr } = await run(args, { cwd });
    expect(stderr).toContain(named);
    expect(code).toBe(exit);
  });
});
