import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const flags = ['--expose-gc', '--conditions=@rxmcp/source', '--import', tsx];

/**
 * Runs a TypeScript file in a process of its own and resolves with the JSON that it prints: what a test says of memory must hold
 * whatever else runs in the process of the tests. The file can call `gc()`.
 */
export async function inOwnProcess<T>(file: URL, ...args: readonly (string | number)[]): Promise<T> {
  const path = fileURLToPath(file);
  const argv = [...flags, path, ...args.map(String)];
  const { stdout } = await promisify(execFile)(process.execPath, argv, { cwd: dirname(path) });
  return JSON.parse(stdout) as T;
}
