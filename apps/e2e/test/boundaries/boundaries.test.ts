import { describe, expect, it } from 'vitest';
import { readWorkspace } from './workspace.js';
import { rules } from './rules.js';

describe('boundaries', () => {
  const workspace = readWorkspace();

  it('reads every package and its sources', () => {
    const folders = workspace.map((pkg) => pkg.folder);
    expect(folders).toEqual(
      expect.arrayContaining([
        'packages/core',
        'packages/transports/stdio',
        'packages/primitives/tools',
        'apps/e2e',
      ]),
    );
    expect(workspace.filter((pkg) => pkg.files.length === 0)).toEqual([]);
  });

  it('reads every folder with sources', () => {
    const paths = workspace.flatMap(({ folder, files }) => files.map(({ path }) => `${folder}/${path}`));
    expect(paths).toEqual(
      expect.arrayContaining([
        'packages/core/src/index.ts',
        'apps/e2e/spec/client.test.ts',
        'apps/e2e/spec/stage/desk.ts',
        'apps/e2e/test/repository.ts',
      ]),
    );
  });

  for (const [name, rule] of Object.entries(rules)) {
    it(name, () => {
      expect(rule(workspace)).toEqual([]);
    });
  }
});
