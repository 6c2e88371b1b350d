// Rehearses a release in a temporary copy of the checkout: versions, builds, packs, publishes to a registry of this machine, installs from
// there into an empty folder, and runs the hello server and client of the README. The checkout stays as it is.
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
  const others = spawnSync('npm', ['config', 'get', 'registry'], {
    encoding: 'utf8',
    shell: windows,
  }).stdout.trim();
  copyCheckout();
  await step('version', 'node', ['scripts/version.mjs'], copy);
  await step('build', 'pnpm', ['run', '--silent', 'build'], copy);
  await step('pack', 'pnpm', ['run', '--silent', 'pack:all'], copy);
  const registry = await startRegistry(temporary, others);
  try {
    const env = environmentOf(registry.url);
    const options = [`--registry=${registry.url}`, '--no-provenance'];
    await step('publish', 'node', ['scripts/publish.mjs', ...options], copy, env);
    const installed = await readReadme(env);
    const packages = publicPackages(copy);
    const { version } = packages[0].manifest;
    if (installed !== version) throw new Error(`installed rxmcp ${installed}, published ${version}`);
    return `release:dry: ${packages.length} packages of version ${version} were published to a local registry and installed from it; hello works`;
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

/** Does what the README says under Install and Hello; returns the version that was installed. */
async function readReadme(env) {
  const readme = readFileSync(join(copy, 'README.md'), 'utf8');
  const install = section(readme, 'Install');
  const hello = section(readme, 'Hello');
  const files = new Map([...titled(install), ...titled(hello)]);
  mkdirSync(reader);
  for (const [title, text] of files)
    if (!title.endsWith('/output')) writeFileSync(join(reader, title.replace('hello/', '')), text);
  const commands = /^```(?:console|sh)\n([\s\S]*?)^```$/m.exec(install)?.[1];
  if (commands === undefined) throw new Error('the section Install of the README has no block of commands');
  for (const command of commands.trim().split('\n')) await shell(command, env);
  const start = /^`([^`]+)` prints$/m.exec(hello)?.[1];
  if (start === undefined) throw new Error('the section Hello of the README has no line "`COMMAND` prints"');
  const printed = await shell(start, env);
  const promised = files.get('hello/output');
  if (printed !== promised)
    throw new Error(`hello printed ${JSON.stringify(printed)}, the README says ${JSON.stringify(promised)}`);
  return JSON.parse(readFileSync(join(reader, 'node_modules/rxmcp/package.json'), 'utf8')).version;
}

function section(markdown, title) {
  return new RegExp(`^## ${title}\n([\\s\\S]*?)(?=^## |(?![\\s\\S]))`, 'm').exec(markdown)?.[1] ?? '';
}

function titled(markdown) {
  return [...markdown.matchAll(/^```\w+ title="([^"]+)"\n([\s\S]*?)^```$/gm)].map(([, title, text]) => [
    title,
    text,
  ]);
}

/** npm sees the local registry, and no settings or cache of this machine. A registry asks for a token even where it accepts any. */
function environmentOf(url) {
  const userconfig = join(temporary, 'npmrc');
  writeFileSync(userconfig, `registry=${url}\n${url.replace(/^http:/, '')}:_authToken=none\n`);
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return {
    ...Object.fromEntries(kept),
    npm_config_userconfig: userconfig,
    npm_config_cache: join(temporary, 'cache'),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  };
}

function shell(command, env) {
  return finished(spawn(command, { cwd: reader, env, shell: true, timeout: 300_000 }), command);
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
