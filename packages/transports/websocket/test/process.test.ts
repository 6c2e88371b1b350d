import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { verifyTransport } from '@rxmcp/transport-tck';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { webSocket } from '../src/index.js';

const home = fileURLToPath(new URL('..', import.meta.url));

describe('a server in another process', () => {
  let folder = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rxmcp-websocket-'));
    const args = ['test/fixtures/echo.ts', '--config', 'test/fixtures/tsup.config.ts', '--out-dir', folder];
    await promisify(execFile)('node_modules/.bin/tsup', args, { cwd: home });
  }, 30_000);
  afterAll(() => rm(folder, { recursive: true }));

  verifyTransport({
    test,
    async serve() {
      const child: ChildProcess = spawn(process.execPath, [join(folder, 'echo.mjs')], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const [url] = (await once(child.stdout!, 'data')) as [Buffer];
      return {
        transport: webSocket(url.toString().trim()),
        async close() {
          const exited = once(child, 'exit');
          child.stdin!.end();
          await exited;
        },
      };
    },
    options: { remote: true },
  });
});
