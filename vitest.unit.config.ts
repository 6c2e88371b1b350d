import { defineConfig } from 'vitest/config';

/** The fast half: the tests of packages that start no process, open no socket and prove no transport. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    // Most of the time would go into loading the same sources for each file; the whole run isolates them.
    isolate: false,
    projects: [
      'packages/core',
      'packages/jsonrpc',
      'packages/primitives/*',
      'packages/testing',
      'packages/transports/memory',
    ].map((folder) => `${folder}/vitest.config.ts`),
  },
});
