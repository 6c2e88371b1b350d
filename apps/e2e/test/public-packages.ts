import { join } from 'node:path';
import { readHouse, type Package } from './boundaries/house.js';
import { repository } from './repository.js';

export interface PublicPackage extends Package {
  /** The package's folder as an absolute path. */
  readonly directory: string;
}

/** The packages that go to the registry. */
export function publicPackages(): readonly PublicPackage[] {
  return readHouse()
    .filter((pkg) => pkg.manifest.private !== true)
    .map((pkg) => ({ ...pkg, directory: join(repository, pkg.folder) }));
}
