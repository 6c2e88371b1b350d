import { mergeConfig } from 'vitest/config';
import { project } from '../../../../../vitest.base.js';

/** The tests that cite requirements, without what only others need to be built first. */
export default mergeConfig(project('spec'), { test: { include: ['spec/**/*.test.ts'] } });
