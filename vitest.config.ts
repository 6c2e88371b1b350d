import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Many tests wait for other processes, so that the usual one worker on two cores would leave both idle.
    maxWorkers: 2,
    // What a test prints is shown where it fails.
    silent: 'passed-only',
    projects: ['packages/*', 'packages/transports/*', 'packages/primitives/*', 'apps/*'].map(
      (folder) => `${folder}/vitest.config.ts`,
    ),
  },
});
