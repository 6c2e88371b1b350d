import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // What a test prints is shown where it fails.
    silent: 'passed-only',
    coverage: {
      provider: 'v8',
      include: ['packages/**/src/**/*.ts'],
      reporter: ['text-summary', 'html'],
      thresholds: { lines: 96, branches: 90 },
    },
    projects: ['packages/*', 'packages/transports/*', 'packages/primitives/*', 'apps/*'].map(
      (folder) => `${folder}/vitest.config.ts`,
    ),
  },
});
