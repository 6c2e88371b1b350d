import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type Manifest, type PackageFolder, packageFolders } from '../boundaries/workspace.js';
import { repository } from '../repository.js';

let copy = '';
afterEach(() => rmSync(copy, { recursive: true, force: true }));

it('a minor change of one package is a minor version of all, and of no app', () => {
  const packages = packageFolders();
  copy = copyOfManifests(packages);
  const before = packages.map((pkg) => [pkg.folder, pkg.manifest.version] as const);
  writeFileSync(join(copy, '.changeset/one.md'), "---\n'@rxmcp/tools': minor\n---\n\nTools do more.\n");

  execFileSync(process.execPath, [join(repository, 'node_modules/@changesets/cli/bin.js'), 'version'], {
    cwd: copy,
    stdio: 'pipe',
  });

  const expected = before.map(([folder, version]) =>
    folder.startsWith('apps/') ? [folder, version] : [folder, nextMinor(version)],
  );
  const after = packages.map(({ folder }) => [folder, manifestIn(copy, folder).version]);
  expect(after).toEqual(expected);
  expect(manifestIn(copy, 'packages/primitives/tools').dependencies?.['@rxmcp/core']).toBe('workspace:*');
});

/** A repository with the manifests and the changesets configuration, but without pending changesets. */
function copyOfManifests(packages: readonly PackageFolder[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'rxmcp-release-'));
  const files = [
    'package.json',
    'pnpm-workspace.yaml',
    '.changeset/config.json',
    ...packages.map((pkg) => `${pkg.folder}/package.json`),
  ];
  for (const file of files) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    cpSync(join(repository, file), join(folder, file));
  }
  const git = (...args: string[]): void => {
    const author = ['-c', 'user.name=release', '-c', 'user.email=release@example.invalid'];
    execFileSync('git', [...author, ...args], { cwd: folder, stdio: 'pipe' });
  };
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'Copy');
  return folder;
}

function manifestIn(root: string, folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
}

function nextMinor(version = ''): string {
  const [major, minor] = version.split('.').map(Number);
  return `${major}.${(minor ?? 0) + 1}.0`;
}
