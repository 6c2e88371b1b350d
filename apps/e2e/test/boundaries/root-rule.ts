import { posix } from 'node:path';
import type { Workspace, Package } from './workspace.js';
import { isApp } from './layers.js';

/** Where a package has folders, its root has `index.ts`, `internal.ts` and the files that package.json names. */
export function rootsHaveEntriesOnly(workspace: Workspace): string[] {
  return workspace
    .filter((pkg) => !isApp(pkg))
    .flatMap((pkg) => looseFiles(pkg).map((path) => `${pkg.folder}/${path} is loose`));
}

function looseFiles({ files, manifest }: Package): string[] {
  const sources = files.filter((file) => file.area === 'src').map(({ path }) => path);
  if (!sources.some((path) => path.split('/').length > 2)) return [];
  const entries = new Set([
    'src/index.ts',
    'src/internal.ts',
    ...named({ ...manifest.exports, ...manifest.imports }),
  ]);
  return sources.filter((path) => path.split('/').length === 2 && !entries.has(path));
}

/** All texts in a map of exports or imports, however deep, as paths inside the package. */
function named(value: unknown): string[] {
  if (typeof value === 'string') return [posix.normalize(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(named) : [];
}
