// Packs the package in the current folder into `.packed/package.tgz`, and checks what would be published. The end-to-end tests install
// the same file.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';

const tarball = '.packed/package.tgz';
rmSync('.packed', { recursive: true, force: true });
mkdirSync('.packed');
run('pnpm', ['pack', '--out', tarball]);
run('publint', ['--strict', tarball]);
run('attw', [tarball, '--profile', 'esm-only']);
copyFileSync('.turbo/built.sha256', '.packed/built.sha256');

function run(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status === 0) return;
  console.error(error?.message ?? `${stdout}${stderr}`);
  process.exit(1);
}
