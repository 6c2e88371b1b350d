import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { useCli } from './cli.js';
import { tempFolder } from './temp-folder.js';

const { run, runApart, served, server } = useCli();

describe('a server of the config', () => {
  async function config(servers: unknown): Promise<string> {
    const folder = await tempFolder();
    await writeFile(join(folder, 'mcp.json'), `\uFEFF${JSON.stringify({ mcpServers: servers })}`);
    return folder;
  }
  const launch = (more: object = {}): object => {
    const [, command, ...args] = server();
    return { command, args, ...more };
  };

  it('is found in ./mcp.json, with its arguments and environment', async () => {
    const cwd = await config({ demo: launch({ env: { GREETING: 'hello' } }) });
    const { code, stdout } = await runApart(['call', 'env', 'demo'], { cwd, env: { GREETING: 'not mine' } });
    expect(stdout).toContain('hello');
    expect(code).toBe(0);
  });

  it('gets nothing of the environment that is not named', async () => {
    const cwd = await config({ demo: launch() });
    const { stdout } = await runApart(['call', 'env', 'demo'], { cwd, env: { GREETING: 'secret' } });
    expect(stdout).toContain('none');
  });

  it('is found in the file of --config, with ARGS before it', async () => {
    const file = join(await config({ demo: launch() }), 'mcp.json');
    const { stdout } = await run(['call', 'echo', '{"a":1}', 'demo', '--config', file]);
    expect(stdout).toContain('\\"a\\":1');
  });

  it.each([
    ['is not there', { other: {} }, 'available: other', 2],
    ['is only in the prototype', {}, 'available: none', 2],
    ['has no command', { demo: {} }, '"command"'],
    ['has args that are no strings', { demo: { command: 'x', args: [1] } }, '"args"'],
    ['has an env of other things', { demo: { command: 'x', env: { A: 1 } } }, '"env"'],
    ['has an invalid url', { demo: { url: 'somewhere' } }, '"url" must be a URL'],
    ['has headers of other things', { demo: { url: 'http://127.0.0.1:1/', headers: { a: 1 } } }, '"headers"'],
    ['has an invalid header', { demo: { url: 'http://127.0.0.1:1/', headers: { 'a b': '' } } }, '"a b"'],
    ['is in a file without mcpServers', [], 'mcpServers'],
  ])('fails when it %s', async (what, servers, named, exit = 6) => {
    const cwd = await config(servers);
    const name = what === 'is only in the prototype' ? 'constructor' : 'demo';
    const { code, stderr } = await run(['tools', name], { cwd });
    expect(code).toBe(exit);
    expect(stderr).toContain(named);
  });
});

describe.each(['modern', 'legacy'])('roots with --protocol %s', (protocol) => {
  it('are the folders of --root, as long as they are there', async () => {
    const parent = await tempFolder();
    const [one, two] = [join(parent, 'one'), join(parent, 'two ü')];
    await mkdir(one);
    await mkdir(two);
    const args = ['call', 'roots', '--protocol', protocol, '--root', one, '--root', two, '--root', one];
    const all = await run([...args, ...(await served())]);
    const [{ content }] = all.lines as [{ content: [{ text: string }] }];
    expect(JSON.parse(content[0].text)).toEqual([
      { uri: pathToFileURL(one).href, name: 'one' },
      { uri: pathToFileURL(two).href, name: 'two ü' },
    ]);
    await rm(two, { recursive: true });
    expect((await run([...args, ...(await served())])).code).toBe(2);
  });

  it('are not offered without --root', async () => {
    const { code, stdout } = await run(['call', 'roots', '--protocol', protocol, ...(await served())]);
    expect(code).toBe(1);
    expect(stdout).not.toContain('file:');
  });
});
