// Packs every public package that changed into `.packed/package.tgz`, and checks what would be published. The end-to-end tests install
// the same files, and `npm run release` publishes them. pnpm and npm start once each, and not once for each package.
//   node scripts/pack.mjs [--unchecked]
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isPacked, notePacked } from './built.mjs';
import { finishPackage } from './finish-package.mjs';
import { publicPackages } from './public-packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const packages = publicPackages().filter(({ folder }) => !isPacked(folder));
if (packages.length > 0) {
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
  const temporary = mkdtempSync(join(root, 'node_modules/.cache/pack-'));
  try {
    pack(temporary);
  } finally {
    rmSync(temporary, { recursive: true });
  }
  if (!process.argv.includes('--unchecked')) await check();
  for (const { folder } of packages) notePacked(folder);
}

function pack(temporary) {
  const filters = packages.map(({ manifest }) => `--filter=${manifest.name}`);
  run('pnpm', ['-r', ...filters, 'pack', '--pack-destination', temporary]);
  // npm's tarballs have one folder, `package`.
  const folders = packages.map(({ folder, manifest }) => {
    const unpacked = join(temporary, fileOf(manifest, ''));
    mkdirSync(unpacked);
    run('tar', ['-xzf', `../${fileOf(manifest)}`], unpacked);
    finishPackage(join(unpacked, 'package'), folder);
    return join(unpacked, 'package');
  });
  run('npm', ['pack', ...folders, '--pack-destination', temporary, '--loglevel=error']);
  for (const { folder, manifest } of packages) {
    rmSync(join(folder, '.packed'), { recursive: true, force: true });
    mkdirSync(join(folder, '.packed'));
    renameSync(join(temporary, fileOf(manifest)), tarballOf(folder));
  }
}

async function check() {
  const of = createRequire(join(packages[0].folder, 'package.json'));
  const { publint } = await import(pathToFileURL(of.resolve('publint')).href);
  const { formatMessage } = await import(pathToFileURL(of.resolve('publint/utils')).href);
  for (const { folder, manifest } of packages) {
    const { messages, pkg } = await publint({
      strict: true,
      pack: { tarball: new Uint8Array(readFileSync(tarballOf(folder))).buffer },
    });
    for (const message of messages) console.error(`${manifest.name}: ${formatMessage(message, pkg)}`);
    if (messages.some(({ type }) => type === 'error')) process.exit(1);
  }
}

function tarballOf(folder) {
  return join(folder, '.packed', 'package.tgz');
}

function fileOf({ name, version }, extension = '.tgz') {
  return `${name.replace('@', '').replace('/', '-')}-${version}${extension}`;
}

function run(command, args, cwd = root) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status === 0) return;
  console.error(error?.message ?? `${stdout}${stderr}`);
  process.exit(1);
}
