import { join } from 'node:path';
import { packageFolders, type PackageFolder } from './boundaries/workspace.js';
import { repository } from './repository.js';

export interface PublicPackage extends PackageFolder {
  /** The package's folder as an absolute path. */
  readonly directory: string;
}

/** The packages that go to the registry. */
export function publicPackages(): readonly PublicPackage[] {
  return packageFolders()
    .filter((pkg) => pkg.manifest.private !== true)
    .map((pkg) => ({ ...pkg, directory: join(repository, pkg.folder) }));
}
