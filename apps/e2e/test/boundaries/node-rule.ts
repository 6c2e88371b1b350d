import { posix } from 'node:path';
import type { Workspace, Package, SourceFile } from './workspace.js';
import { isBuiltin } from './import-rules.js';
import { isApp } from './layers.js';

/** Every entry point but stdio's and those named `node` loads in a browser, with all that it imports. Imports under the condition `node` do not. */
export function nodeStaysBehindItsDoor(workspace: Workspace): string[] {
  return workspace
    .filter((pkg) => !isApp(pkg) && pkg.folder !== 'packages/transports/stdio')
    .flatMap((pkg) => {
      const closed = reachable(
        pkg,
        entries(pkg, (key) => !isNodeKey(key)),
      );
      const open = reachable(pkg, [...entries(pkg, isNodeKey), ...importsOfNode(pkg)]);
      return pkg.files
        .filter((file) => file.area === 'src' && (closed.has(file.path) || !open.has(file.path)))
        .flatMap((file) =>
          file.imports
            .filter((specifier) => isBuiltin(specifier))
            .map((specifier) => `${pkg.folder}/${file.path} imports "${specifier}"`),
        );
    });
}

function isNodeKey(key: string): boolean {
  return key.split('/').includes('node');
}

function entries(pkg: Package, isWanted: (key: string) => boolean): string[] {
  return Object.entries(pkg.manifest.exports ?? {})
    .filter(([key]) => isWanted(key))
    .map(([, target]) => (typeof target === 'string' ? target : (target['@rxmcp/source'] ?? '')))
    .map((path) => posix.normalize(path));
}

function importsOfNode({ manifest }: Package): string[] {
  return Object.values(manifest.imports ?? {}).map((target) =>
    posix.normalize(target['node']?.['@rxmcp/source'] ?? ''),
  );
}

function reachable(pkg: Package, from: readonly string[]): Set<string> {
  const files = new Map(pkg.files.map((file) => [file.path, file]));
  const seen = new Set<string>();
  const visit = (path: string): void => {
    const file = files.get(path);
    if (file === undefined || seen.has(path)) return;
    seen.add(path);
    for (const next of neighbours(pkg, file)) visit(next);
  };
  from.forEach(visit);
  return seen;
}

function neighbours({ manifest }: Package, file: SourceFile): string[] {
  // A name that begins with `#` is followed to what a browser takes.
  const hashed = file.imports.map(
    (specifier) => manifest.imports?.[specifier]?.['default']?.['@rxmcp/source'],
  );
  return [
    ...hashed.filter((path) => path !== undefined).map((path) => posix.normalize(path)),
    ...file.imports
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => posix.join(posix.dirname(file.path), specifier).replace(/\.js$/, '.ts')),
  ];
}
