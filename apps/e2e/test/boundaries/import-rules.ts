import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import type { Workspace, Package, SourceFile } from './workspace.js';
import { isApp, isSibling, packageName, shipped, tested } from './layers.js';

/** Every import of a src file is allowed to what ships, every import of a test file to tests. */
export function importsFollowTheLayers(workspace: Workspace): string[] {
  return eachImport(workspace, (pkg, file, name) => {
    const allowance = file.area === 'src' ? shipped(pkg) : tested(pkg);
    if (allowance === undefined || name === pkg.manifest.name) return false;
    return isSibling(name) ? !allowance.siblings(name) : !allowance.outside(name);
  });
}

/** What src imports is a dependency or a peer; tests may use devDependencies as well. */
export function importsAreDeclared(workspace: Workspace): string[] {
  return eachImport(workspace, ({ manifest }, file, name) => {
    const declared = { ...manifest.dependencies, ...manifest.peerDependencies, [manifest.name]: '' };
    const forTests = file.area === 'test' ? manifest.devDependencies : {};
    return !(name in { ...declared, ...forTests });
  });
}

/** What all tests share stands at the root of the repository. */
const sharedByTests = /^(?:\.\.\/)+(?:vitest\.\w+\.js|scripts\/[\w-]+\.mjs)$/;

/** Another package is imported by name, never by a path into its folder. */
export function pathsStayInside(workspace: Workspace): string[] {
  return workspace.flatMap((pkg) =>
    pkg.files.flatMap((file) =>
      file.imports
        .filter((specifier) => specifier.startsWith('.'))
        .filter((specifier) => posix.join(posix.dirname(file.path), specifier).startsWith('..'))
        .filter((specifier) => file.area === 'src' || !sharedByTests.test(specifier))
        .map((specifier) => `${pkg.folder}/${file.path} imports "${specifier}"`),
    ),
  );
}

/** Apps show what an outsider can build, so they live without the entries that promise nothing. */
export function internalStaysInside(workspace: Workspace): string[] {
  return workspace
    .filter(isApp)
    .flatMap((pkg) =>
      pkg.files
        .filter((file) => file.area === 'src')
        .flatMap((file) =>
          file.imports
            .filter((specifier) => /^@rxmcp\/.+\/internal$/.test(specifier))
            .map((specifier) => `${pkg.folder}/${file.path} imports "${specifier}"`),
        ),
    );
}

function eachImport(
  workspace: Workspace,
  isWrong: (pkg: Package, file: SourceFile, name: string) => boolean,
): string[] {
  return workspace.flatMap((pkg) =>
    pkg.files.flatMap((file) =>
      file.imports
        .filter((specifier) => !/^[.#]/.test(specifier) && !isBuiltin(specifier))
        .filter((specifier) => isWrong(pkg, file, packageName(specifier)))
        .map((specifier) => `${pkg.folder}/${file.path} imports "${specifier}"`),
    ),
  );
}

export function isBuiltin(specifier: string): boolean {
  return specifier.startsWith('node:') || builtinModules.includes(specifier);
}
