import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { folders, project, run, testsIn } from './vitest.base.js';

/** A project for each package and app, to run the tests of some of them. */
export default defineConfig({
  test: { ...run, projects: folders.map((folder) => project(basename(folder), testsIn([folder]))) },
});
