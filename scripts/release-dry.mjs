// Rehearses a release in a temporary copy of the checkout: versions, builds, packs, publishes to a registry of this machine, installs from
// there into an empty folder, and follows the README. The checkout stays as it is.
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { follow, installedVersion, section } from '../apps/e2e/test/first-hour/newcomer.ts';
import { startRegistry } from './local-registry.mjs';
import { publicPackages } from './public-packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const temporary = mkdtempSync(join(tmpdir(), 'rxmcp-release-'));
const copy = join(temporary, 'checkout');
const reader = join(temporary, 'reader');
const windows = process.platform === 'win32';
let child;
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    child?.kill();
    cleanUp();
    process.exit(signal === 'SIGINT' ? 130 : 143);
  });

try {
  console.log(await rehearse());
} catch (error) {
  console.error(`release:dry failed: ${error.message}`);
  process.exitCode = 1;
} finally {
  cleanUp();
}

async function rehearse() {
  copyCheckout();
  await step('version', 'node', ['scripts/version.mjs'], copy);
  const published = '--filter=./packages/**';
  await step('build', 'pnpm', ['turbo', 'run', 'build', published, '--output-logs=errors-only'], copy);
  // What differs from the tarballs that the tests check is the version.
  await step('pack', 'node', ['scripts/pack.mjs', '--unchecked'], copy);
  const registry = await startRegistry(temporary);
  try {
    const { env } = registry;
    const options = [`--registry=${registry.url}`, '--no-provenance'];
    await step('publish', 'node', ['scripts/publish.mjs', ...options], copy, env);
    const installed = await readReadme(env);
    const packages = publicPackages(copy);
    const { version } = packages[0].manifest;
    if (installed !== version) throw new Error(`installed rxmcp ${installed}, published ${version}`);
    return `release:dry: ${packages.length} packages of version ${version} were published to a local registry and installed from it; the README works`;
  } finally {
    await registry.close();
  }
}

/** Committed and uncommitted files, as a repository of their own with installed dependencies. */
function copyCheckout() {
  const listed = runSync('git', ['ls-files', '-coz', '--exclude-standard'], root).split('\0');
  for (const file of listed.filter((name) => name !== '' && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  const author = ['-c', 'user.name=release', '-c', 'user.email=release@example.invalid'];
  runSync('git', ['init', '-q', '-b', 'main'], copy);
  runSync('git', ['add', '.'], copy);
  runSync('git', [...author, 'commit', '-q', '-m', 'Copy'], copy);
  if (readdirSync(join(copy, '.changeset')).filter((name) => name.endsWith('.md')).length === 0)
    writeFileSync(join(copy, '.changeset/dry.md'), '---\nrxmcp: patch\n---\n\nA rehearsal.\n');
  runSync('pnpm', ['install', '--frozen-lockfile', '--prefer-offline', '--loglevel=warn'], copy);
}

/** Does what the README says under Install, Hello and Over HTTP; returns the version that was installed. */
async function readReadme(env) {
  const readme = readFileSync(join(copy, 'README.md'), 'utf8');
  const text = ['Install', 'Hello', 'Over HTTP'].map((title) => section(readme, title)).join('\n');
  mkdirSync(reader);
  for (const { command, stdout, shown } of await follow(text, { folder: reader, env }))
    if (stdout !== shown)
      throw new Error(
        `\`${command}\` printed ${JSON.stringify(stdout)}, the README says ${JSON.stringify(shown)}`,
      );
  return installedVersion(reader, 'rxmcp');
}

async function step(name, command, args, cwd, env = process.env) {
  console.log(`release:dry: ${name}`);
  await finished(spawn(command, args, { cwd, env, shell: windows }), name);
}

/** The registry serves in this process, so it must not wait for another one in `spawnSync`. */
function finished(started, name) {
  child = started;
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (errors += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${name}: exit code ${code}\n${output}${errors}`));
    });
  });
}

function runSync(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    shell: windows,
  });
  if (status !== 0) throw new Error(`${command} ${args[0]}: ${error?.message ?? `${stdout}${stderr}`}`);
  return stdout;
}

function cleanUp() {
  rmSync(temporary, { recursive: true, force: true });
}
