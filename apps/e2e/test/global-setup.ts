import type { TestProject } from 'vitest/node';
import { setup as checkBuilt } from '../../../vitest.built.js';
import { setup as makeServerProgram } from './matrix/server-program.js';

/** Before all tests: what was built is current, and one file of the server that children of the matrix run is made. */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  checkBuilt();
  return makeServerProgram(project);
}
