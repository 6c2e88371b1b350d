import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { importsOf } from '../boundaries/syntax.js';
import { tarballsOf } from '../packed/stand-alone.js';
import { unpack } from '../packed/unpack.js';
import { publicPackages } from '../public-packages.js';

let folder = '';
let files = '';
const program = (): string => join(folder, 'node_modules/rxmcp/dist/bin/rxmcp.js');
const note = (): string => pathToFileURL(join(files, 'note.txt')).href;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rxmcp-serve-'));
  files = join(folder, 'files');
  await unpack(['rxmcp', 'rxjs'], tarballsOf(publicPackages()), folder);
  await mkdir(files);
  await writeFile(join(files, 'note.txt'), 'Water the plants.');
  await writeFile(join(files, 'sales.csv'), 'city,amount\nOslo,4\nRome,6\n');
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function rxmcp(...args: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(program(), args, { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

/** Starts a server at a free port. Resolves with its process and URL. */
async function listening(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(program(), ['serve', 'files', ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stderr })) {
    const [, url] = /^listening (\S+)$/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stderr.resume();
    return { child, url };
  }
  throw new Error('it did not listen');
}

describe('rxmcp serve of the tarball', { timeout: 60_000 }, () => {
  it.each(exhaustive ? ['modern', 'legacy'] : ['modern'])(
    'serves a folder on standard input and output to %s clients',
    async (era) => {
      const to = ['--protocol', era, '--', program(), 'serve', 'files'];
      const csv = ['call', 'analyze_csv', 'filepath=sales.csv', 'operations:=["sum"]', ...to];
      const [read, figures] = await Promise.all([rxmcp('read', note(), ...to), rxmcp(...csv)]);
      expect(read).toMatchObject({ code: 0, stdout: expect.stringContaining('Water the plants.') as string });
      expect(figures.stdout, figures.stderr).toMatch(/\b10\b/);
      expect(figures.stderr).not.toContain('fault');
    },
  );

  it('serves at a port until it is stopped, and checks tokens', async () => {
    const { child, url } = await listening(['--http', '0'], { RXMCP_TOKENS: '{"ada":"a-secret-of-hers"}' });
    const header = ['--header', 'authorization: Bearer a-secret-of-hers'];
    const [read, refused] = await Promise.all([rxmcp('read', note(), url, ...header), rxmcp('tools', url)]);
    expect(read.stdout, read.stderr).toContain('Water the plants.');
    expect(refused.code).toBe(3);
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([143, null]);
  });

  it('requires access tokens of --auth-issuer', async () => {
    const { url } = await listening([
      '--http',
      '0',
      '--auth-issuer',
      'https://issuer.test',
      '--auth-scopes',
      'a',
    ]);
    const answer = await fetch(url, { method: 'POST', body: '{}' });
    await answer.text();
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('/.well-known/oauth-protected-resource');
  });

  it('has a help with all options, and is in the list of commands', async () => {
    const [all, own] = await Promise.all([rxmcp('help'), rxmcp('serve', '--help')]);
    expect(all.stdout).toMatch(/^ {2}serve +serves a folder of files with the reference server$/m);
    for (const option of [
      'http',
      'sse',
      'ws',
      'transport',
      'tls-cert',
      'allow-command',
      'auth-issuer',
      'version',
    ])
      expect(own.stdout).toContain(`--${option} `);
  });
});

it('no other command loads a file of the server', async () => {
  const bin = join(folder, 'node_modules/rxmcp/dist/bin');
  const texts = new Map<string, string>();
  for (const name of await readdir(bin)) texts.set(name, await readFile(join(bin, name), 'utf8'));
  const isServer = (name: string): boolean => texts.get(name)?.includes('calculate_sum') === true;
  const isServe = (name: string): boolean => /^serve-/.test(name);
  const reached = new Set(['rxmcp.js']);
  for (const name of reached) {
    if (isServe(name)) continue;
    for (const path of importsOf(texts.get(name) ?? ''))
      if (path.startsWith('./')) reached.add(path.slice(2));
  }
  expect([...reached].filter(isServe).length).toBeGreaterThan(0);
  expect([...texts.keys()].filter(isServer)).toHaveLength(1);
  expect([...reached].filter(isServer)).toEqual([]);
});
