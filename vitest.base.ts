import { fileURLToPath } from 'node:url';
import { defineProject, type UserWorkspaceConfig } from 'vitest/config';

const conditions = ['@rxmcp/source', 'module', 'node', 'development|production'];

/** What a project says of its tests. */
export interface ProjectOptions {
  /** Most tests wait for sockets or other processes: four workers and not two, which would leave both cores idle. @default false */
  readonly waits?: boolean;
}

/**
 * One vitest project: tests run on the sources of every package, nothing needs a build. A worker loads the sources once for all
 * of its test files, which therefore leave nothing behind.
 */
export function project(name: string, { waits = false }: ProjectOptions = {}): UserWorkspaceConfig {
  return defineProject({
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    // A limit for what hangs. A busy machine may take long over what takes no time of its own.
    test: {
      name,
      include: ['test/**/*.test.ts'],
      testTimeout: 180_000,
      hookTimeout: 180_000,
      setupFiles: [fileURLToPath(new URL('vitest.patience.ts', import.meta.url))],
      expect: { poll: { timeout: 60_000, interval: 5 } },
      isolate: false,
      // Projects with another number of workers run as a group of their own, first.
      maxWorkers: waits ? 4 : 2,
      sequence: { groupOrder: waits ? 0 : 1 },
    },
  });
}
