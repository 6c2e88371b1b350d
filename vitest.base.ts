import { defineProject, type UserWorkspaceConfig } from 'vitest/config';

const conditions = ['@rxmcp/source', 'module', 'node', 'development|production'];

/** One vitest project: tests run on the sources of every package, nothing needs a build. */
export function project(name: string): UserWorkspaceConfig {
  return defineProject({
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: { name, include: ['test/**/*.test.ts'] },
  });
}
