import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Options } from 'tsup';
import type {} from 'vitest';
import type { TestProject } from 'vitest/node';

export { application } from './tsup.base.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder with the programs that the global set-up of an app has made of the sources. */
    readonly [programs: `programs of ${string}`]: string;
  }
}

/**
 * Returns the global set-up of an app: it makes programs of the sources once, before the tests and again when they are run anew, so that
 * tests need no build before them.
 *
 * @param application The options with which the app is built.
 * @param app A URL in the folder of tests of the app.
 * @param files Relative to the app.
 */
export function programs(
  application: unknown,
  app: string,
  files: readonly string[],
): (project: TestProject) => Promise<() => Promise<void>> {
  const made = application as Options;
  const root = dirname(dirname(fileURLToPath(app)));
  const make = (folder: string): Promise<void> =>
    build({
      ...made,
      config: false,
      silent: true,
      sourcemap: false,
      entry: files.map((file) => join(root, file)),
      outExtension: () => ({ js: '.mjs' }),
      outDir: folder,
      esbuildOptions(esbuild, context) {
        made.esbuildOptions?.(esbuild, context);
        esbuild.conditions = ['@rxmcp/source'];
        esbuild.outbase = root;
      },
    });
  return async (project) => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'rxmcp-programs-')));
    await make(folder);
    project.provide(`programs of ${basename(root)}`, folder);
    project.onTestsRerun(() => make(folder));
    return () => rm(folder, { recursive: true, force: true });
  };
}
