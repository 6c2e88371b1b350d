// The packages that are published: their folders as absolute paths, and their manifests.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const groups = ['packages', 'packages/transports', 'packages/primitives'];

/** @param {string} root the folder of a checkout */
export function publicPackages(root = fileURLToPath(new URL('..', import.meta.url))) {
  return groups
    .flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name)))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => ({
      folder,
      manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
    }))
    .filter(({ manifest }) => manifest.private !== true);
}
