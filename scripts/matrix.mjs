// Runs the tests where most users are not, outside `npm test`:
//   npm run matrix                 Node 22, Node 24 and the lowest rxjs, one after the other
//   npm run matrix -- node22       only the named rows: node22, node24, rxjs-lowest
// Node comes from the npm package `node`; every row works on a copy of the committed and uncommitted files.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const lowestRxjs = '7.5.5';
const skipped = new Set(['node_modules', 'dist', '.git', '.turbo', '.cache', 'coverage', '.eslintcache']);

const rows = {
  node22: { node: '22.23.3' },
  node24: { node: '24.21.0' },
  'rxjs-lowest': { rxjs: lowestRxjs },
};

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(rows);
const unknown = chosen.filter((name) => !(name in rows));
if (unknown.length > 0) {
  console.error(`unknown row "${unknown[0]}", there are: ${Object.keys(rows).join(', ')}`);
  process.exit(2);
}

const results = chosen.map((name) => {
  console.log(`matrix: ${name} starts`);
  const started = Date.now();
  const passed = runRow(name, rows[name]);
  return { name, passed, seconds: Math.round((Date.now() - started) / 1000) };
});
for (const { name, passed, seconds } of results) {
  console.log(`matrix: ${name.padEnd(12)} ${passed ? 'passed' : 'FAILED'} in ${seconds} s`);
}
process.exitCode = results.every((row) => row.passed) ? 0 : 1;

function runRow(name, { node, rxjs }) {
  const copy = mkdtempSync(join(tmpdir(), `rxmcp-${name}-`));
  try {
    cpSync(root, copy, { recursive: true, filter: (path) => !skipped.has(basename(path)) || path === root });
    // Tests ask git for the state of the repository that they stand in.
    run('git', ['init', '-q', '-b', 'main'], copy);
    if (rxjs !== undefined) pinRxjs(copy, rxjs);
    const bin = node === undefined ? undefined : nodeFrom(copy, node);
    const env = {
      ...process.env,
      NODE_MATRIX: name,
      PATH: [bin, process.env.PATH].filter((part) => part !== undefined).join(delimiter),
    };
    const version = run('node', ['--version'], copy, { env, stdio: 'pipe' }).stdout.toString().trim();
    if (node !== undefined && version !== `v${node}`) throw new Error(`wanted Node ${node}, got ${version}`);
    run(
      'pnpm',
      [
        'install',
        rxjs === undefined ? '--frozen-lockfile' : '--no-frozen-lockfile',
        '--prefer-offline',
        '--reporter=append-only',
      ],
      copy,
      { env },
    );
    if (rxjs !== undefined) seeRxjs(copy, rxjs);
    run('pnpm', ['run', '--silent', 'build'], copy, { env });
    run('pnpm', ['run', '--silent', 'pack:all'], copy, { env });
    run('pnpm', ['exec', 'vitest', 'run', '--config', 'vitest.together.config.ts'], copy, { env });
    return true;
  } catch (error) {
    console.error(`matrix: ${name}: ${error.message}`);
    return false;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** An override reaches every package of the copy, the way a user's lockfile would. */
function pinRxjs(copy, version) {
  const file = join(copy, 'pnpm-workspace.yaml');
  const text = readFileSync(file, 'utf8');
  const pinned = text.replace(/^overrides:$/m, `overrides:\n  rxjs: ${version}`);
  if (pinned === text) throw new Error('pnpm-workspace.yaml has no overrides to pin rxjs in');
  writeFileSync(file, pinned);
}

function seeRxjs(copy, version) {
  const installed = JSON.parse(
    readFileSync(join(copy, 'packages/core/node_modules/rxjs/package.json'), 'utf8'),
  ).version;
  if (installed !== version) throw new Error(`wanted rxjs ${version}, got ${installed}`);
}

function nodeFrom(copy, version) {
  const home = join(copy, 'node_modules', '.matrix-node');
  run(
    'npm',
    [
      'install',
      '--prefix',
      home,
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      `node@${version}`,
    ],
    copy,
  );
  return join(home, 'node_modules', '.bin');
}

function run(command, args, cwd, options = {}) {
  const result = spawnSync(command, args, { cwd, stdio: 'inherit', ...options });
  if (result.error) throw result.error;
  if (result.status !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${result.status ?? result.signal}`);
  return result;
}
