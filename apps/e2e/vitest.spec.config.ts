import { project } from '../../vitest.base.js';

/** The tests that cite requirements and no others, without what only those others need to be built first. */
export default project('spec', { include: ['apps/e2e/spec/**/*.test.ts'] });
