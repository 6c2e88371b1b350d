import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { certificate } from '../../../../vitest.certificate.js';
import { repository } from '../repository.js';
import { type Started, started } from './started.js';

const bin = join(repository, 'packages/rxmcp/dist/bin/rxmcp.js');
const folder = join(repository, 'packages/jsonrpc/src');
const listeners = ['--root', folder, '--http', '0', '--sse', '0', '--ws', '0'];
const names = ['http', 'sse', 'ws'] as const;

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program as npm would: by its first line. */
function rxmcp(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(bin, args, { maxBuffer: 2 ** 26, env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

/** Calls a tool, and in an exhaustive run reads a file too. */
async function expectServed(url: string, protocol: string, env?: NodeJS.ProcessEnv): Promise<void> {
  const uri = pathToFileURL(join(folder, 'index.ts')).href;
  const [sum, read] = await Promise.all([
    rxmcp(['call', 'calculate_sum', '{"a":20,"b":22}', url, '--protocol', protocol], env),
    exhaustive ? rxmcp(['read', uri, url, '--protocol', protocol], env) : undefined,
  ]);
  expect(sum.stderr).toBe('');
  expect(sum).toMatchObject({ code: 0, stdout: expect.stringContaining('"42"') as string });
  if (read !== undefined)
    expect(read).toMatchObject({ code: 0, stdout: expect.stringContaining('defaultJsonLimits') as string });
}

describe('rxmcp at a url of the reference server', () => {
  let server: Started;
  beforeAll(async () => {
    server = await started(listeners, 3);
  });
  afterAll(async () => expect(await server.end()).toBe(0));

  // The tests of apps/client try each transport with the same program.
  const pairs = names.flatMap((name, at) =>
    ['modern', 'legacy', ...(exhaustive ? ['2025-06-18', '2024-11-05'] : [])]
      .filter((protocol) => (exhaustive ? name !== 'sse' || protocol !== 'modern' : name === 'http'))
      .map((protocol) => [name, protocol, at] as const),
  );
  it.each(pairs)('%s speaks %s', (_name, protocol, at) => expectServed(server.urls[at] as string, protocol));

  it('sse does not speak the modern era', async () => {
    const { code, stderr } = await rxmcp(['tools', server.urls[1] as string, '--protocol', 'modern']);
    expect(stderr).toContain('cannot connect');
    expect(code).toBe(3);
  });
});

describe('rxmcp over TLS', () => {
  const { cert, key } = certificate();
  let place = '';
  let file = '';
  let server: Started;
  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), 'rxmcp-tls-'));
    file = join(place, 'cert.pem');
    await writeFile(file, cert);
    await writeFile(join(place, 'key.pem'), key);
    server = await started([...listeners, '--tls-cert', file, '--tls-key', join(place, 'key.pem')], 3);
  });
  afterAll(async () => {
    expect(await server.end()).toBe(0);
    await rm(place, { recursive: true });
  });

  // HTTP+SSE makes the requests of HTTP.
  const tried = exhaustive ? names : (['http', 'ws'] as const);
  it.each(tried)('%s, where the certificate is trusted', async (name) => {
    const url = server.urls[names.indexOf(name)] as string;
    expect(url).toMatch(/^(https|wss):/);
    await expectServed(url, 'auto', { NODE_EXTRA_CA_CERTS: file });
  });

  it.each(tried)('%s, with an untrusted certificate', async (name) => {
    const { code, stderr } = await rxmcp(['tools', server.urls[names.indexOf(name)] as string]);
    expect(stderr).toContain('cannot connect: DIAL_FAILED');
    expect(stderr).toContain(
      'If you trust the server, set NODE_EXTRA_CA_CERTS to a file with its certificate authority',
    );
    expect(code).toBe(3);
  });

  it('with a plain URL, which says that the server has TLS', async () => {
    const url = (server.urls[0] as string).replace('https:', 'http:');
    const { code, stderr } = await rxmcp(['tools', url]);
    expect(stderr).toMatch(/^cannot connect: .*\. If the server has TLS there, use https: or wss:$/m);
    expect(code).toBe(3);
  });

  it('the checklist names the certificate', async () => {
    const { code, stdout } = await rxmcp(['doctor', server.urls[0] as string]);
    expect(stdout).toMatch(
      /"check":"tls","ok":false,.*"fix":"If you trust the server, set NODE_EXTRA_CA_CERTS/,
    );
    expect(code).toBe(3);
  });
});
