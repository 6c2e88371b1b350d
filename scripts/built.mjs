// The hash of the sources that a `dist` was made of, so that tests of what was built notice a stale one.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const sources = (folder) => join(folder, 'src');
const stamp = (folder) => join(folder, '.turbo', 'built.sha256');

/** Notes that the `dist` of a package is of its present sources. */
export function noteBuilt(folder) {
  if (!existsSync(sources(folder))) return;
  mkdirSync(join(folder, '.turbo'), { recursive: true });
  writeFileSync(stamp(folder), hashOf(folder));
}

/** Whether the `dist` of a package was made of its present sources. */
export function isBuilt(folder) {
  return (
    existsSync(join(folder, 'dist')) &&
    existsSync(stamp(folder)) &&
    readFileSync(stamp(folder), 'utf8') === hashOf(folder)
  );
}

/** Whether the tarball of a package was made of its present `dist`. */
export function isPacked(folder) {
  const packed = join(folder, '.packed', 'built.sha256');
  return existsSync(packed) && readFileSync(packed, 'utf8') === readFileSync(stamp(folder), 'utf8');
}

function hashOf(folder) {
  const hash = createHash('sha256');
  const files = readdirSync(sources(folder), { recursive: true, withFileTypes: true })
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
