import { project } from './vitest.base.js';

const packages = [
  'core',
  'json-schema',
  'jsonrpc',
  'primitives/*',
  'testing',
  'transport',
  'transports/memory',
];

/**
 * The fast half: the tests of packages that are no transport of their own and start few processes, and those of
 * the boundaries between packages. As one project, so that the sources
 * are made ready once for all of them.
 */
export default project('unit', {
  include: [
    ...packages.map((folder) => `packages/${folder}/test/**/*.test.ts`),
    'apps/e2e/test/boundaries/**/*.test.ts',
  ],
});
