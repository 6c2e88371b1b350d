import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { project } from './vitest.base.js';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Every package and app that has tests. */
const folders = ['packages', 'packages/transports', 'packages/primitives', 'apps'].flatMap((group) =>
  readdirSync(here(group))
    .map((name) => `${group}/${name}`)
    .filter((folder) => existsSync(here(`${folder}/package.json`)) && existsSync(here(`${folder}/test`))),
);

/** Projects most of whose tests wait for sockets or other processes. */
const waiting = [
  'http',
  'memory',
  'message-port',
  'sse',
  'stdio',
  'websocket',
  'bridge',
  'server',
  'weather',
  'example-transports',
  'e2e',
];

/**
 * A transformed source names the files that its imports mean, which depends on the `exports` of the packages, and on the lockfile: runs
 * that find another one than before empty the folder, which no run may do while another one uses it.
 */
const manifests = createHash('sha256').update(readFileSync(here('pnpm-lock.yaml')));
for (const folder of folders) manifests.update(readFileSync(here(`${folder}/package.json`)));

export default defineConfig({
  test: {
    // What a test prints is shown where it fails.
    silent: 'passed-only',
    // Continuous integration runs files in the random order of a seed, which is printed.
    sequence: { shuffle: { files: process.env['CI'] === '1' }, seed: Number(process.env['RXMCP_SEED'] ?? 1) },
    coverage: {
      provider: 'v8',
      include: ['packages/**/src/**/*.ts'],
      reporter: ['text-summary', 'html'],
      thresholds: { lines: 96, branches: 90 },
    },
    // Sources are transformed once for the test tasks of all packages, which are processes of their own.
    experimental: {
      fsModuleCache: true,
      fsModuleCachePath: here(`node_modules/.cache/vitest/${manifests.digest('hex').slice(0, 16)}`),
    },
    projects: folders.map((folder) => {
      const name = basename(folder);
      const setup = `${folder}/test/global-setup.ts`;
      return project(name, {
        // The tests that cite requirements stand in a folder of their own.
        include: ['test', 'spec'].map((tests) => `${folder}/${tests}/**/*.test.ts`),
        waits: waiting.includes(name),
        globalSetup: existsSync(here(setup)) ? [setup] : [],
      });
    }),
  },
});
