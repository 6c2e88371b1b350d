import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { folders, project, run, testsIn } from './vitest.base.js';

const names = process.env['RXMCP_TESTED']?.split(',');
const tested = folders.filter((folder) => names === undefined || names.includes(basename(folder)));

/** Files that examine the memory or the turns of their process, which files of other packages would change. */
const ofProcess = tested
  .map((folder) => `${folder}/test`)
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => `${folder}/${String(name)}`))
  .filter(
    (path) => path.endsWith('.test.ts') && /processMemory\(|loopTurns?\b/i.test(readFileSync(path, 'utf8')),
  );

const all = project('all', testsIn(tested));
const alone = project('alone', { include: ofProcess });

/**
 * The tests of all packages and apps, or of those that RXMCP_TESTED names, as one project. A worker that continues with a file of
 * another project is started anew, and loads all sources again; these continue with any file. Only the files of `ofProcess` follow, in
 * workers of their own.
 */
export default defineConfig({
  test: {
    ...run,
    projects: [
      { ...all, test: { ...all.test, exclude: ['**/node_modules/**', ...ofProcess] } },
      ...(ofProcess.length === 0 ? [] : [{ ...alone, test: { ...alone.test, sequence: { groupOrder: 1 } } }]),
    ],
  },
});
