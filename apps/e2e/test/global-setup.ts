import type { TestProject } from 'vitest/node';
import { setup as checkBuilt } from '../../../vitest.built.js';
import { application, programs } from '../../../vitest.programs.js';

const makePrograms = programs(application([], { shortWay: true }), import.meta.url, [
  'test/attacks/fixtures/caller.ts',
  'test/attacks/fixtures/client.ts',
  'test/attacks/fixtures/gateway.ts',
  'test/attacks/fixtures/protected.ts',
  'test/attacks/fixtures/server.ts',
  'test/http-mounts/fixtures/server.ts',
  'test/matrix/stdio-server.ts',
]);

/** Before all tests: what was built is current, and the programs that tests start are made. */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  checkBuilt();
  return makePrograms(project);
}
