import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundled } from './vitest.bundle.js';

/**
 * Runs a TypeScript file in a process of its own and resolves with the JSON that it prints: what a test says of memory must hold
 * whatever else runs in the process of the tests. The file can call `gc()`. Its young generation is small: what is not collected yet is not held.
 */
export async function inOwnProcess<T>(file: URL, ...args: readonly (string | number)[]): Promise<T> {
  const argv = ['--expose-gc', '--max-semi-space-size=2', await bundled(file), ...args.map(String)];
  const { stdout } = await promisify(execFile)(process.execPath, argv, { cwd: dirname(fileURLToPath(file)) });
  return JSON.parse(stdout) as T;
}
