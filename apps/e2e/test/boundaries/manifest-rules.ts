import type { Workspace, Package } from './workspace.js';
import { isApp, isSibling, shipped, tested } from './layers.js';

/** A new package must be given its place before it can be judged. */
export function everyFolderHasALine(workspace: Workspace): string[] {
  return workspace.filter((pkg) => shipped(pkg) === undefined).map(({ folder }) => `${folder} has no line`);
}

/** dependencies are what src may import; sibling devDependencies are what tests may import. */
export function dependenciesFollowTheLayers(workspace: Workspace): string[] {
  return workspace.flatMap((pkg) => {
    const [ships, tests] = [shipped(pkg), tested(pkg)];
    if (ships === undefined || tests === undefined) return [];
    const runtime = { ...pkg.manifest.dependencies, ...pkg.manifest.optionalDependencies };
    const wrong = Object.keys(runtime).filter((name) =>
      isSibling(name) ? !ships.siblings(name) : !ships.outside(name),
    );
    const wrongInTests = Object.keys(pkg.manifest.devDependencies ?? {}).filter(
      (name) => isSibling(name) && !tests.siblings(name),
    );
    return [
      ...wrong.map((name) => `${pkg.folder} depends on "${name}"`),
      ...wrongInTests.map((name) => `${pkg.folder} depends on "${name}" for its tests`),
    ];
  });
}

/** Published siblings pin each other, so one install of the packages is of one version. */
export function siblingsAreExact(workspace: Workspace): string[] {
  return workspace.flatMap(({ folder, manifest }) =>
    Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
      .filter(([name, range]) => isSibling(name) && range !== 'workspace:*')
      .map(([name, range]) => `${folder} depends on "${name}" as "${range}"`),
  );
}

/** A second peer would be a second thing for users to keep in step. */
export function rxjsIsTheOnlyPeer(workspace: Workspace): string[] {
  return workspace.flatMap(({ folder, manifest }) => {
    const peers = Object.entries(manifest.peerDependencies ?? {});
    const wrong = peers.filter(([name, range]) => name !== 'rxjs' || range !== '^7.5.5');
    const bundled = 'rxjs' in (manifest.dependencies ?? {}) && !folder.startsWith('apps/') ? ['rxjs'] : [];
    return [
      ...wrong.map(([name, range]) => `${folder} has the peer "${name}" as "${range}"`),
      ...bundled.map((name) => `${folder} brings its own "${name}"`),
    ];
  });
}

/** The fixed group releases everything together. */
export function oneVersion(workspace: Workspace): string[] {
  const published = workspace.filter((pkg) => !isApp(pkg));
  const first = published[0]?.manifest.version;
  return published
    .filter(({ manifest }) => manifest.version !== first)
    .map(({ folder, manifest }) => `${folder} is ${manifest.version}, others are ${first}`);
}

/** Apps are ends: private, and in the package.json of no other package. */
export function noPackageDependsOnAnApp(workspace: Workspace): string[] {
  const apps = workspace.filter(isApp);
  const names = new Set(apps.map((app) => app.manifest.name));
  const needed = (pkg: Package): string[] =>
    Object.keys({
      ...pkg.manifest.dependencies,
      ...pkg.manifest.devDependencies,
      ...pkg.manifest.peerDependencies,
    });
  return [
    ...apps.filter((app) => app.manifest.private !== true).map((app) => `${app.folder} is not private`),
    ...workspace
      .filter((pkg) => !isApp(pkg))
      .flatMap((pkg) =>
        needed(pkg)
          .filter((name) => names.has(name))
          .map((name) => `${pkg.folder} depends on the app "${name}"`),
      ),
  ];
}
