import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../repository.js';

/** One file of a program and the sources it stands on: a child starts it three times as fast as it would the sources. */
export interface ServerProgram {
  readonly path: string;
  remove(): Promise<void>;
}

/** Bundles `stdio-server.ts` into a folder of its own. */
export async function bundleServerProgram(): Promise<ServerProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'rxmcp-matrix-'));
  const home = join(repository, 'apps', 'e2e');
  const config = 'test/matrix/server-program.config.ts';
  const args = ['test/matrix/stdio-server.ts', '--config', config, '--out-dir', folder];
  await promisify(execFile)(join(repository, 'node_modules', '.bin', 'tsup'), args, { cwd: home });
  return {
    path: join(folder, 'stdio-server.mjs'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
