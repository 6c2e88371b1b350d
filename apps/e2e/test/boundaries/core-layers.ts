import { posix } from 'node:path';
import type { House } from './house.js';

/** The folders of core from the bottom up; those of one row never import each other. */
const rows: readonly (readonly string[])[] = [
  ['base'],
  ['contract'],
  ['output', 'schema', 'content', 'stats', 'streams'],
  ['offers', 'peer'],
  ['interceptors', 'eras'],
  ['server', 'client', 'bridge'],
];

const rowOf = new Map(rows.flatMap((folders, row) => folders.map((folder) => [folder, row] as const)));

/** A folder of core imports itself and the rows below it; `import type` counts. The files at the root import all of them. */
export function coreImportsPointDown(house: House): string[] {
  return house
    .filter(({ folder }) => folder === 'packages/core')
    .flatMap(({ folder, files }) =>
      files
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
        }),
    );
}

function layerOf(path: string): string {
  return path.split('/')[1] ?? '';
}
