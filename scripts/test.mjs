// Runs tests, and notes what passed and what was skipped:
//   node scripts/test.mjs packages   those of the packages and apps that changed since theirs passed, or whose dependencies did
//   node scripts/test.mjs e2e        the end-to-end tests, always
// One process runs the tests of all packages, since it loads their sources once. turbo says what changed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

const e2e = process.argv[2] === 'e2e';
const folder = 'node_modules/.cache/tests';
const results = `${folder}/results-${e2e ? 'e2e' : 'packages'}.json`;
const record = `${folder}/${e2e ? 'e2e' : 'packages'}.json`;
mkdirSync(folder, { recursive: true });

const hashes = e2e ? { e2e: '' } : hashOfEach();
const before = !e2e && existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {};
const known = Object.fromEntries(
  Object.entries(hashes).flatMap(([name, hash]) =>
    before[name]?.hash === hash ? [[name, before[name]]] : [],
  ),
);
const changed = Object.keys(hashes).filter((name) => !(name in known));
if (Object.keys(known).length > 0)
  console.log(
    `${Object.keys(known).length} of ${Object.keys(hashes).length} packages are as their tests passed`,
  );
if (changed.length > 0) process.exitCode = run(changed);

function run(names) {
  rmSync(results, { force: true });
  const projects = names.flatMap((name) => ['--project', name]);
  const reporters = ['--reporter=default', '--reporter=./vitest.results.ts'];
  const { status } = spawnSync('vitest', ['run', ...projects, ...reporters], {
    stdio: 'inherit',
    env: { ...process.env, RXMCP_RESULTS: results },
    shell: process.platform === 'win32',
  });
  const made = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : {};
  for (const [name, { passed, skipped }] of Object.entries(made))
    if (passed) known[name] = { hash: hashes[name], skipped };
  writeFileSync(record, JSON.stringify(known));
  return status ?? 1;
}

/** A hash of all that the tests of each project depend on. */
function hashOfEach() {
  const options = ['run', 'test', '--filter=!@rxmcp/app-e2e', '--dry=json'];
  const { stdout, status, stderr } = spawnSync('turbo', options, {
    encoding: 'utf8',
    maxBuffer: 1e8,
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`turbo failed: ${stderr}`);
  const tests = JSON.parse(stdout).tasks.filter(
    ({ task, command }) => task === 'test' && command !== '<NONEXISTENT>',
  );
  return Object.fromEntries(
    tests.map(({ directory, hash }) => [basename(directory.replaceAll('\\', '/')), hash]),
  );
}
