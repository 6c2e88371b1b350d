import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['packages/*', 'packages/transports/*', 'packages/primitives/*', 'apps/*'].map(
      (folder) => `${folder}/vitest.config.ts`,
    ),
  },
});
