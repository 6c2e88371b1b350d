import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { repository } from '../repository.js';

const bin = join(repository, 'packages/rxmcp/dist/bin/rxmcp.js');
const server = join(repository, 'apps/server/dist/main.js');
const root = join(repository, 'packages/jsonrpc/src');

/** Runs the program as npm would: by its first line. */
function rxmcp(args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(bin, args, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

/** Starts a command that serves; resolves with the URL at which it listens. */
async function listening(args: readonly string[]): Promise<{ url: string; end(): Promise<unknown> }> {
  const child = spawn(bin, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface({ input: child.stderr })) {
    const [, url] = /^listening (\S+)$/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stderr.resume();
    const end = (): Promise<unknown> => {
      child.kill('SIGTERM');
      return once(child, 'close');
    };
    return { url, end };
  }
  throw new Error('it did not listen');
}

/** What the bundle of the program leaves out is imported from the package, whose core is another copy than its own. */
describe('the program with the parts that it imports from its package', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rxmcp-apart-'));
    const demo = { command: process.execPath, args: [server, '--root', root] };
    await writeFile(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { one: demo, two: demo } }));
  });
  afterAll(() => rm(folder, { recursive: true }));

  // The tests of apps/client have both eras.
  it.each(exhaustive ? ['modern', 'legacy'] : ['modern'])(
    'serves a gateway to %s clients',
    async (protocol) => {
      const { url, end } = await listening(['gateway', '--config', join(folder, 'mcp.json'), '--http', '0']);
      const sum = await rxmcp(['call', 'two-calculate_sum', '{"a":20,"b":22}', url, '--protocol', protocol]);
      expect(sum).toMatchObject({ code: 0, stdout: expect.stringContaining('"42"') as string });
      await end();
    },
  );

  it('bridges a command to WebSockets, and a sign-in is looked up', async () => {
    const { url, end } = await listening([
      'bridge',
      'one',
      '--config',
      join(folder, 'mcp.json'),
      '--ws',
      '0',
    ]);
    const listed = await rxmcp(['listen', '--timeout', '5000', url.replace('ws:', 'wss:')]);
    expect(listed.stderr).toContain('The server has no TLS there');
    const sum = await rxmcp(['call', 'calculate_sum', '{"a":20,"b":22}', url]);
    expect(sum).toMatchObject({ code: 0, stdout: expect.stringContaining('"42"') as string });
    expect(await rxmcp(['auth', 'http://127.0.0.1:9/'])).toMatchObject({ code: 1, stderr: '' });
    await end();
  });

  it('checks a socket', async () => {
    const { code, stdout } = await rxmcp(['doctor', 'unix:/nowhere/socket']);
    expect(stdout).toContain('"fix":"Start the server, or correct the address');
    expect(code).toBe(3);
  });
});
