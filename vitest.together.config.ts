import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { folders, project, run, testsIn } from './vitest.base.js';

const tested = process.env['RXMCP_TESTED']?.split(',');
const all = project(
  'all',
  testsIn(folders.filter((folder) => tested === undefined || tested.includes(basename(folder)))),
);

/**
 * The tests of all packages and apps, or of those that RXMCP_TESTED names, as one project. A worker that continues with a file of
 * another project is started anew, and loads all sources again; these continue with any file.
 */
export default defineConfig({ ...all, test: { ...run, ...all.test } });
