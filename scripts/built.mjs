// The hash of the sources that a `dist` was made of, so that tests of what was built notice a stale one.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const stamp = (folder) => join(folder, '.turbo', 'built.sha256');
const packed = (folder) => join(folder, '.packed', 'sha256');

/** Notes that the `dist` of a package is of its present sources. */
export function noteBuilt(folder) {
  if (!existsSync(join(folder, 'src'))) return;
  mkdirSync(join(folder, '.turbo'), { recursive: true });
  writeFileSync(stamp(folder), hashOf(folder, 'src'));
}

/** Whether the `dist` of a package was made of its present sources. */
export function isBuilt(folder) {
  return (
    existsSync(join(folder, 'dist')) &&
    existsSync(stamp(folder)) &&
    readFileSync(stamp(folder), 'utf8') === hashOf(folder, 'src')
  );
}

/** Notes that the tarball of a package is of its present `dist`, manifest and README. */
export function notePacked(folder) {
  writeFileSync(packed(folder), hashOfTarball(folder));
}

/** Whether the tarball of a package was made of its present `dist`, manifest and README. */
export function isPacked(folder) {
  return existsSync(packed(folder)) && readFileSync(packed(folder), 'utf8') === hashOfTarball(folder);
}

/** A tarball also has the versions that the workspace gives to dependencies. */
function hashOfTarball(folder) {
  const hash = createHash('sha256').update(hashOf(folder, 'dist'));
  for (const name of ['package.json', 'README.md']) hash.update(readFileSync(join(folder, name)));
  for (const name of ['pnpm-workspace.yaml', 'scripts/pack.mjs', 'scripts/finish-package.mjs'])
    hash.update(readFileSync(new URL(`../${name}`, import.meta.url)));
  return hash.digest('hex');
}

function hashOf(folder, part) {
  const hash = createHash('sha256');
  const files = readdirSync(join(folder, part), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
  for (const file of files)
    hash
      .update(`${file.slice(folder.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
}
