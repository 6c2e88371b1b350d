import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundle } from '../../../../vitest.bundle.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of the program that serves a named description on its standard streams. */
    readonly serverProgram: string;
  }
}

const source = new URL('stdio-server.ts', import.meta.url);

/**
 * Makes one file of that program and the sources it stands on, before the tests and again when they are run anew: a child
 * starts it three times as fast as it would the sources.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'rxmcp-matrix-'));
  project.provide('serverProgram', await bundle(source, folder));
  project.onTestsRerun(async () => void (await bundle(source, folder)));
  return () => rm(folder, { recursive: true, force: true });
}
