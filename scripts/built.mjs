// What a `dist` was made of, so that tests of what was built notice a stale one.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const groups = ['packages', 'packages/transports', 'packages/primitives', 'apps'];
const stamp = (folder) => join(folder, '.turbo', 'built.json');
const packed = (folder) => join(folder, '.packed', 'sha256');

/** The folders of all packages and apps that are built. */
export function builtFolders() {
  return groups
    .flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name)))
    .filter((folder) => existsSync(join(folder, 'tsup.config.ts')));
}

/** Notes the sources that the `dist` of a package was made of, and its files. */
export function noteBuilt(folder) {
  if (!existsSync(join(folder, 'src'))) return;
  const files = filesOf(folder, 'dist').filter((file) => !isDeclaration(file));
  mkdirSync(join(folder, '.turbo'), { recursive: true });
  writeFileSync(stamp(folder), JSON.stringify({ sources: hashOf(folder, 'src'), files }));
}

/** Whether the `dist` of a package was made of its present sources, and has all files of that build and no others. */
export function isBuilt(folder) {
  const note = noteOf(folder);
  return (
    note?.sources === hashOf(folder, 'src') &&
    note.files.every((file) => existsSync(join(folder, file))) &&
    staleFiles(folder).length === 0
  );
}

/** The files in the `dist` of a package that its last build did not write: turbo restores a `dist` over another one. */
export function staleFiles(folder) {
  const { files = [] } = noteOf(folder) ?? {};
  return filesOf(folder, 'dist').filter((file) =>
    isDeclaration(file)
      ? !existsSync(join(folder, file.replace(/^dist/, 'src').replace(/\.d\.ts$/, '.ts')))
      : !files.includes(file),
  );
}

function isDeclaration(file) {
  return file.endsWith('.d.ts');
}

function noteOf(folder) {
  return existsSync(stamp(folder)) ? JSON.parse(readFileSync(stamp(folder), 'utf8')) : undefined;
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
  for (const file of filesOf(folder, part))
    hash
      .update(`/${file}\0`)
      .update(readFileSync(join(folder, file)))
      .update('\0');
  return hash.digest('hex');
}

/** The files of a part of a folder, as paths from the folder with `/`. */
function filesOf(folder, part) {
  if (!existsSync(join(folder, part))) return [];
  return readdirSync(join(folder, part), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)).replaceAll('\\', '/'))
    .sort();
}
