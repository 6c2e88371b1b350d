import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TestProjectInlineConfiguration, ViteUserConfig } from 'vitest/config';

const conditions = ['@rxmcp/source', 'module', 'node', 'development|production'];
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The folder of every package and app that has tests, relative to the workspace. */
export const folders: readonly string[] = [
  'packages',
  'packages/transports',
  'packages/primitives',
  'apps',
].flatMap((group) =>
  readdirSync(here(group))
    .map((name) => `${group}/${name}`)
    .filter((folder) => existsSync(here(`${folder}/package.json`)) && existsSync(here(`${folder}/test`))),
);

/**
 * A transformed source names the files that its imports mean, which depends on the `exports` of the packages, and on the lockfile: runs
 * that find another one than before empty the folder, which no run may do while another one uses it.
 */
const manifests = createHash('sha256').update(readFileSync(here('pnpm-lock.yaml')));
for (const folder of folders) manifests.update(readFileSync(here(`${folder}/package.json`)));

/** What holds for a run as a whole. */
export const run: NonNullable<ViteUserConfig['test']> = {
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
  // Sources are transformed once for all runs.
  experimental: {
    fsModuleCache: true,
    fsModuleCachePath: here(`node_modules/.cache/vitest/${manifests.digest('hex').slice(0, 16)}`),
  },
};

/** What a project says of its tests. */
export interface ProjectOptions {
  /** The files with its tests, relative to the workspace. */
  readonly include: readonly string[];
  /** What runs once before its tests, relative to the workspace. @default none */
  readonly globalSetup?: readonly string[];
}

/** The options of {@link project} for the tests in these folders. Those that cite requirements stand in a folder of their own. */
export function testsIn(tested: readonly string[]): ProjectOptions {
  return {
    include: tested.flatMap((folder) => ['test', 'spec'].map((tests) => `${folder}/${tests}/**/*.test.ts`)),
    globalSetup: tested
      .map((folder) => `${folder}/test/global-setup.ts`)
      .filter((path) => existsSync(here(path))),
  };
}

/**
 * One vitest project: tests run on the sources of every package, nothing needs a build. A worker loads the sources once for all
 * of its test files, which therefore leave nothing behind. The root of each is the workspace, so that all share transformed sources.
 */
export function project(
  name: string,
  { include, globalSetup = [] }: ProjectOptions,
): TestProjectInlineConfiguration {
  return {
    root: here('.'),
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    // A limit for what hangs. A busy machine may take long over what takes no time of its own.
    test: {
      name,
      include: [...include],
      globalSetup: [...globalSetup],
      testTimeout: 180_000,
      hookTimeout: 180_000,
      setupFiles: ['vitest.patience.ts'],
      expect: { poll: { timeout: 60_000, interval: 5 } },
      isolate: false,
      // Many tests wait for sockets or other processes: four workers use two cores.
      maxWorkers: 4,
    },
  };
}
