import { fileURLToPath } from 'node:url';
import type { TestProjectInlineConfiguration } from 'vitest/config';

const conditions = ['@rxmcp/source', 'module', 'node', 'development|production'];

/** What a project says of its tests. */
export interface ProjectOptions {
  /** The files with its tests, relative to the workspace. */
  readonly include: readonly string[];
  /** Most tests wait for sockets or other processes: four workers and not two, which would leave both cores idle. @default false */
  readonly waits?: boolean;
  /** What runs once before its tests, relative to the workspace. @default none */
  readonly globalSetup?: readonly string[];
}

/**
 * One vitest project: tests run on the sources of every package, nothing needs a build. A worker loads the sources once for all
 * of its test files, which therefore leave nothing behind. The root of each is the workspace, so that all share transformed sources.
 */
export function project(
  name: string,
  { include, waits = false, globalSetup = [] }: ProjectOptions,
): TestProjectInlineConfiguration {
  return {
    root: fileURLToPath(new URL('.', import.meta.url)),
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
      // Projects with another number of workers run as a group of their own, first.
      maxWorkers: waits ? 4 : 2,
      sequence: { groupOrder: waits ? 0 : 1 },
    },
  };
}
