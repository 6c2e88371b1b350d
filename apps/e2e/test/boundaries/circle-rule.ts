import { posix } from 'node:path';
import type { Workspace, Package } from './workspace.js';

/** No file imports itself by way of others, in no package and no app, tests included; `import type` counts. */
export function importsFormNoCircle(workspace: Workspace): string[] {
  return workspace.flatMap((pkg) => circlesOf(pkg).map((circle) => `${pkg.folder}: ${circle}`));
}

function circlesOf({ files }: Package): string[] {
  const edges = new Map(
    files.map((file) => [
      file.path,
      file.imports
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => posix.join(posix.dirname(file.path), specifier).replace(/\.js$/, '.ts')),
    ]),
  );
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(' -> '));
    else if (!done.has(path)) {
      for (const next of edges.get(path) ?? []) visit(next, [...way, path]);
      done.add(path);
    }
  };
  for (const path of edges.keys()) visit(path, []);
  return circles;
}
