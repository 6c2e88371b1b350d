// Packs the package in the current folder into `.packed/package.tgz`, and checks what would be published. The end-to-end tests install
// the same file, and `npm run release` publishes it.
//   node lint-package.mjs [--unchecked]
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { finishPackage } from './finish-package.mjs';

const tarball = '.packed/package.tgz';
rmSync('.packed', { recursive: true, force: true });
mkdirSync('.packed');
run('pnpm', ['pack', '--out', tarball]);
// npm's tarballs have one folder, `package`.
run('tar', ['-xzf', 'package.tgz'], '.packed');
finishPackage('.packed/package', process.cwd());
run('npm', ['pack', '--pack-destination', '..', '--loglevel=error'], '.packed/package');
const made = readdirSync('.packed').find((name) => name.endsWith('.tgz') && name !== 'package.tgz');
renameSync(`.packed/${made}`, tarball);
rmSync('.packed/package', { recursive: true });
if (!process.argv.includes('--unchecked')) run('publint', ['--strict', tarball]);
copyFileSync('.turbo/built.sha256', '.packed/built.sha256');

function run(command, args, cwd = '.') {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status === 0) return;
  console.error(error?.message ?? `${stdout}${stderr}`);
  process.exit(1);
}
