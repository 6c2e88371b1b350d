import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const home = fileURLToPath(new URL('../..', import.meta.url));

/** Bundles the served side of the child processes, which so start fast. Call `remove` at the end. */
export async function childScript(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'rxmcp-kit-'));
  const args = ['test/wires/child-main.ts', '--config', 'test/wires/tsup.config.ts', '--out-dir', folder];
  await promisify(execFile)('node_modules/.bin/tsup', args, { cwd: home });
  return { path: join(folder, 'child-main.mjs'), remove: () => rm(folder, { recursive: true }) };
}
