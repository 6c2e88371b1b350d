import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Fetch } from '@rxmcp/sse';
import { bearer } from '@rxmcp/transport/guard';
import { Agent, fetch as undiciFetch } from 'undici';
import { beforeAll, expect, it } from 'vitest';
import { say, servedPond, visitor } from './pond.js';

let tls: { cert: string; key: string };

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rxmcp-tls-'));
  try {
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const args = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '1',
    ];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
    await promisify(execFile)('openssl', [...args, ...subject, '-keyout', key, '-out', cert]);
    tls = { cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') };
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('over https, with a CA of its own and a credential', async () => {
  const { serving } = await servedPond({ tls, authenticate: bearer({ ada: 'open-sesame' }) });
  expect(serving.url).toMatch(/^https:/);
  const dispatcher = new Agent({ connect: { ca: tls.cert } });
  const fetch: Fetch = (url, init) =>
    undiciFetch(url, { ...(init as object), dispatcher }) as unknown as Promise<Response>;
  const remote = await visitor(serving.url, undefined, {
    fetch,
    headers: { authorization: 'Bearer open-sesame' },
  });
  expect(await say(remote, 'whoami')).toBe('ada');
  await remote.close();
  await dispatcher.close();
});

it('an untrusted certificate fails the dial', async () => {
  const { serving } = await servedPond({ tls });
  await expect(visitor(serving.url)).rejects.toMatchObject({
    code: 'DIAL_FAILED',
    details: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
  });
});
