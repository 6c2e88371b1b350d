import { mergeConfig } from 'vitest/config';
import { project } from '../../vitest.base.js';

export default mergeConfig(project('e2e'), { test: { globalSetup: 'test/matrix/server-program.ts' } });
