import { mergeConfig } from 'vitest/config';
import { project } from '../../vitest.base.js';

export default mergeConfig(project('e2e', { waits: true }), {
  // The tests that cite requirements stand in a folder of their own.
  test: {
    include: ['spec/**/*.test.ts'],
    globalSetup: ['../../vitest.built.ts', 'test/matrix/server-program.ts'],
  },
});
