// Publishes the tarball of every package whose version the registry does not have, each after those that it depends on. The tarballs are
// what `pnpm run pack:all` checked and the tests installed.
//   node scripts/publish.mjs [OPTIONS OF npm publish...]
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { publicPackages } from './public-packages.mjs';

const options = process.argv.slice(2);
const registry = options.filter((option) => option.startsWith('--registry='));
let published = 0;
for (const { folder, manifest } of inOrder(publicPackages())) {
  const id = `${manifest.name}@${manifest.version}`;
  if (isPublished(id)) continue;
  const tarball = join(folder, '.packed', 'package.tgz');
  const { status, stderr } = npm(['publish', tarball, '--access=public', ...options]);
  if (status !== 0) {
    console.error(`npm publish "${id}" failed:\n${stderr}`);
    process.exit(1);
  }
  published += 1;
  console.log(`published ${id}`);
}
console.log(`${published} packages published`);

function isPublished(id) {
  const { status, stdout, stderr } = npm(['view', id, 'version', ...registry]);
  if (status === 0) return stdout.trim() !== '';
  if (stderr.includes('E404')) return false;
  console.error(`npm view "${id}" failed:\n${stderr}`);
  process.exit(1);
}

function npm(args) {
  return spawnSync('npm', [...args, '--loglevel=error'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
}

/** A package that needs another one is published after it, so that no install meets one without the other. */
function inOrder(packages) {
  const sorted = new Set();
  const add = (pkg) => {
    if (sorted.has(pkg)) return;
    const needed = Object.keys(pkg.manifest.dependencies ?? {});
    for (const other of packages) if (needed.includes(other.manifest.name)) add(other);
    sorted.add(pkg);
  };
  packages.forEach(add);
  return [...sorted];
}
