import { posix } from 'node:path';
import type { Workspace, Package } from './workspace.js';

type Rows = readonly (readonly string[])[];

/** The folders of a package from the bottom up; those of one row never import each other. */
const layers: Readonly<Record<string, Rows>> = {
  'packages/core': [
    ['base'],
    ['contract'],
    ['output', 'schema', 'content', 'stats', 'streams'],
    ['offers', 'peer'],
    ['interceptors', 'eras'],
    ['server', 'client', 'bridge'],
    ['methods'],
  ],
  'packages/transport-tck': [
    ['base'],
    ['peer', 'relay'],
    ['process'],
    ['fixture'],
    ['harness'],
    ['rules'],
    ['verify'],
  ],
};

/** A folder imports itself and the rows below it; `import type` counts. The files at the root import all of them. */
export function foldersImportDown(workspace: Workspace): string[] {
  return workspace.flatMap((pkg) => {
    const rows = layers[pkg.folder];
    return rows === undefined ? [] : importsUpwards(pkg, rows);
  });
}

function importsUpwards({ folder, files }: Package, rows: Rows): string[] {
  const rowOf = new Map(rows.flatMap((names, row) => names.map((name) => [name, row] as const)));
  return files
    .filter((file) => file.area === 'src' && file.path.split('/').length > 2)
    .flatMap((file) => {
      const own = layerOf(file.path);
      const row = rowOf.get(own);
      if (row === undefined) return [`${folder}/${file.path} is in no layer`];
      return file.imports
        .filter((specifier) => specifier.startsWith('.'))
        .filter((specifier) => {
          const other = layerOf(posix.join(posix.dirname(file.path), specifier));
          return other !== own && !((rowOf.get(other) ?? Infinity) < row);
        })
        .map((specifier) => `${folder}/${file.path} imports "${specifier}"`);
    });
}

function layerOf(path: string): string {
  return path.split('/')[1] ?? '';
}
