import { mergeConfig } from 'vitest/config';
import { project } from './vitest.base.js';

const packages = ['core', 'jsonrpc', 'primitives/*', 'testing', 'transports/memory'];

/**
 * The fast half: the tests of packages that start no process, open no socket and prove no transport. As one project, so that the
 * sources are made ready once for all of them.
 */
export default mergeConfig(project('unit'), {
  test: { maxWorkers: 2, include: packages.map((folder) => `packages/${folder}/test/**/*.test.ts`) },
});
