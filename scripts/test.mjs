// Runs the tests of the packages and apps that changed since theirs passed, or whose dependencies did, and the end-to-end tests always.
// Notes what passed and what was skipped, and says at the end how many were skipped and why. turbo says what changed. Tests wait for
// processes and sockets, so the types are checked at the same time.
import { once } from 'node:events';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { printSkipped } from './skipped.mjs';

const folder = 'node_modules/.cache/tests';
const results = `${folder}/results.json`;
const record = `${folder}/passed.json`;
mkdirSync(folder, { recursive: true });

const hashes = hashOfEach();
const before = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {};
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
const types = checkTypes();
const tests = await runTests([...changed, 'e2e']);
const typeErrors = await types;
if (typeErrors !== undefined) console.error(`${typeErrors}The types are wrong: see above`);
process.exitCode = typeErrors === undefined ? tests : 1;

/** Resolves with the errors that the type checker printed, if it found any. They are also printed at once. */
async function checkTypes() {
  const child = start('pnpm', ['run', '--silent', 'typecheck'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (printed += text));
  const [code] = await once(child, 'close');
  if (code === 0) return undefined;
  console.error(printed);
  return printed;
}

async function runTests(names) {
  rmSync(results, { force: true });
  const reporters = ['--reporter=default', '--reporter=./vitest.results.ts'];
  const child = start('vitest', ['run', '--config', 'vitest.together.config.ts', ...reporters], {
    stdio: 'inherit',
    env: { ...process.env, RXMCP_TESTED: names.join(','), RXMCP_RESULTS: results },
  });
  const [code] = await once(child, 'close');
  const made = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : {};
  for (const [name, { passed, skipped }] of Object.entries(made))
    if (passed && name in hashes) known[name] = { hash: hashes[name], skipped };
  writeFileSync(record, JSON.stringify(known));
  printSkipped([...Object.values(known), ...('e2e' in made ? [made.e2e] : [])]);
  return code ?? 1;
}

function start(command, args, options) {
  return spawn(command, args, { ...options, shell: process.platform === 'win32' });
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
