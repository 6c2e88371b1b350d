import { defineConfig } from 'vitest/config';

/** The fast half: the tests of packages that start no process, open no socket and prove no transport. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      'packages/core',
      'packages/jsonrpc',
      'packages/primitives/*',
      'packages/testing',
      'packages/transports/memory',
    ].map((folder) => `${folder}/vitest.config.ts`),
  },
});
