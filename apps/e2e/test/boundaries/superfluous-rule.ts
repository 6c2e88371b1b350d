import type { Workspace, Package } from './workspace.js';
import { isApp, packageName } from './layers.js';

/** Programs and types that scripts and compilers use without an import. */
const tools = [
  '@arethetypeswrong/cli',
  '@types/node',
  'fast-check',
  'publint',
  'tsup',
  'tsx',
  'typescript',
  'vitest',
];

/**
 * A dependency that no source imports is one that users install for nothing. A peer of a dependency is a peer of the package too:
 * strict package managers pass it on only then.
 */
export function dependenciesAreUsed(workspace: Workspace): string[] {
  return workspace
    .filter((pkg) => !isApp(pkg))
    .flatMap((pkg) => {
      const { dependencies, optionalDependencies, peerDependencies, devDependencies } = pkg.manifest;
      const shipped = imported(pkg, 'src');
      const tested = imported(pkg, 'test');
      const runtime = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
      const development = Object.keys(devDependencies ?? {});
      return [
        ...runtime.filter((name) => !shipped.has(name) && !passesOn(workspace, pkg, name)),
        ...development.filter((name) => ![...tools, ...runtime].includes(name) && !tested.has(name)),
      ]
        .filter((name) => !isTypesOfImported(name, new Set([...shipped, ...tested])))
        .map((name) => `${pkg.folder} does not import its dependency "${name}"`);
    });
}

function passesOn(workspace: Workspace, { manifest }: Package, peer: string): boolean {
  return workspace.some(
    (other) =>
      other.manifest.name in (manifest.dependencies ?? {}) && peer in (other.manifest.peerDependencies ?? {}),
  );
}

function imported(pkg: Package, area: 'src' | 'test'): ReadonlySet<string> {
  const files = pkg.files.filter((file) => file.area === area);
  return new Set(files.flatMap(({ imports }) => imports.map(packageName)));
}

/** `@types/ws` is used by a package that imports `ws`. */
function isTypesOfImported(name: string, names: ReadonlySet<string>): boolean {
  return name.startsWith('@types/') && names.has(name.slice('@types/'.length));
}
