import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Bundles a program and the sources it stands on into one file of a folder: processes and workers start it much faster. Resolves with its path. */
export async function bundle(file: URL, folder: string): Promise<string> {
  const path = fileURLToPath(file);
  const args = [path, '--config', 'vitest.bundle.config.ts', '--out-dir', folder];
  await promisify(execFile)('node_modules/.bin/tsup', args, { cwd: root });
  return join(folder, `${basename(path, '.ts')}.mjs`);
}

/** Bundles a program into a folder of its own. Call `remove` at the end. */
export async function bundled(file: URL): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'rxmcp-bundle-'));
  return { path: await bundle(file, folder), remove: () => rm(folder, { recursive: true }) };
}
