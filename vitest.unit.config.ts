import { defineConfig } from 'vitest/config';

/** The fast half: the tests of packages that start no process. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: ['packages/*', 'packages/primitives/*', 'packages/transports/memory'].map(
      (folder) => `${folder}/vitest.config.ts`,
    ),
  },
});
