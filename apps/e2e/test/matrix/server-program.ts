import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { repository } from '../repository.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of the program that serves a named description on its standard streams. */
    readonly serverProgram: string;
  }
}

/**
 * Makes one file of that program and the sources it stands on, before the tests and again when they are run anew: a child
 * starts it three times as fast as it would the sources.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'rxmcp-matrix-'));
  project.provide('serverProgram', join(folder, 'stdio-server.mjs'));
  await bundle(folder);
  project.onTestsRerun(() => bundle(folder));
  return () => rm(folder, { recursive: true, force: true });
}

async function bundle(folder: string): Promise<void> {
  const config = 'test/matrix/server-program.config.ts';
  const args = ['test/matrix/stdio-server.ts', '--config', config, '--out-dir', folder];
  const cwd = join(repository, 'apps', 'e2e');
  await promisify(execFile)(join(repository, 'node_modules', '.bin', 'tsup'), args, { cwd });
}
