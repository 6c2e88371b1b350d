// Runs a script of the workspace on a machine that has nothing but Node and npm:
//   node scripts/run.mjs [--build] [SCRIPT [ARGS...]]
// Fetches the pinned pnpm into the checkout, installs from the lockfile, builds if asked, then runs SCRIPT.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
  closeSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const version = /^pnpm@([^+]+)/.exec(packageManager)[1];
const home = join(root, '.pnpm-bootstrap');
const bin = join(home, version, 'node_modules', '.bin');
const windows = process.platform === 'win32';
let held = false;

const [first, ...others] = process.argv.slice(2);
const build = first === '--build';
const [script, ...args] = build ? others : first === undefined ? [] : [first, ...others];

const env = { TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1' };
for (const [name, value] of Object.entries(process.env)) {
  // npm's own settings would reach pnpm as settings of its own; only where packages come from is kept.
  if (!/^npm_/i.test(name) || /^npm_config_(registry|userconfig|cache|.*proxy)$/i.test(name))
    env[name] = value;
}
const path = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
env[path] = `${bin}${delimiter}${env[path] ?? ''}`;

await locked(() => {
  if (!existsSync(join(bin, windows ? 'pnpm.cmd' : 'pnpm'))) bootstrap();
  run('pnpm', [
    'install',
    '--frozen-lockfile',
    '--prefer-offline',
    '--reporter=append-only',
    '--loglevel=warn',
  ]);
  if (build) run('pnpm', ['run', '--silent', 'build']);
});
if (script !== undefined) run('pnpm', ['run', '--silent', script, ...args]);

function bootstrap() {
  const fresh = join(home, `${version}.${process.pid}`);
  mkdirSync(fresh, { recursive: true });
  run('npm', [
    'install',
    '--prefix',
    fresh,
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--loglevel=error',
    `pnpm@${version}`,
  ]);
  rmSync(join(home, version), { recursive: true, force: true });
  renameSync(fresh, join(home, version));
}

function run(command, argv) {
  const { status, signal, error } = spawnSync(command, argv, {
    cwd: root,
    env,
    stdio: 'inherit',
    shell: windows,
  });
  if (error) console.error(`${command}: ${error.message}`);
  if (status === 0) return;
  unlock();
  process.exit(status ?? (signal === 'SIGINT' ? 130 : 1));
}

/** Two commands started at once must not install or build into the same folders at the same time. */
async function locked(work) {
  const file = lockFile();
  mkdirSync(home, { recursive: true });
  for (;;) {
    try {
      const lock = openSync(file, 'wx');
      writeSync(lock, String(process.pid));
      closeSync(lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (!holderLives(file)) rmSync(file, { force: true });
      else await new Promise((next) => setTimeout(next, 200));
    }
  }
  held = true;
  work();
  unlock();
}

function holderLives(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    // Empty: the holder has just created it and not yet written its id.
    if (pid === 0) return true;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function unlock() {
  if (held) rmSync(lockFile(), { force: true });
  held = false;
}

function lockFile() {
  return join(home, 'lock');
}
