import { project } from '../../vitest.base.js';

const base = project('spec');

/** The tests that cite requirements and no others, without what only those others need to be built first. */
export default { ...base, test: { ...base.test, include: ['spec/**/*.test.ts'] } };
