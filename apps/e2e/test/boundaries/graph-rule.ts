import type { Workspace } from './workspace.js';

/** turbo refuses a cycle of any kind, and a reader should as well. */
export function graphIsAcyclic(workspace: Workspace): string[] {
  const edges = new Map(
    workspace.map(({ manifest }) => [
      manifest.name,
      Object.keys({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.peerDependencies }),
    ]),
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) cycles.push([...path.slice(path.indexOf(name)), name].join(' -> '));
    else if (!done.has(name)) {
      for (const next of edges.get(name) ?? []) visit(next, [...path, name]);
      done.add(name);
    }
  };
  for (const name of edges.keys()) visit(name, []);
  return cycles;
}
