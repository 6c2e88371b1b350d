import { defineConfig } from 'vitest/config';
import { project, run } from './vitest.base.js';

/**
 * The tests of what needs several packages, which run on sources alone. Those that start a program or read what was built are left out: to
 * them a mutated source is a stale build.
 */
const include = [
  'apps/e2e/test/browser/sign-in.test.ts',
  'apps/e2e/test/{adapters,auth,hidden,http-client,tracing,virtual-time,websocket}/*.test.ts',
  'apps/e2e/test/http-mounts/!(process*).test.ts',
  'apps/e2e/test/first-hour/{calls,options,short-way,slips}.test.ts',
  'apps/e2e/test/{messages,reference,renamed-options}/*.test.ts',
  'apps/e2e/test/url/*.test.ts',
];

export default defineConfig({ test: { ...run, projects: [project('several', { include })] } });
