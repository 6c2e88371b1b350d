import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageName } from '../boundaries/layers.js';
import { readSyntax } from '../boundaries/syntax.js';
import { isBuiltin } from '../boundaries/import-rules.js';
import type { PublicPackage } from '../public-packages.js';
import { run } from './commands.js';
import { readPromise, type ReadmePromise } from './readme.js';
import { type Unpacked, unpack } from './unpack.js';

const require = createRequire(import.meta.url);

/** The tarball of each package by npm name, as `npm run pack` makes them. */
export function tarballsOf(packages: readonly PublicPackage[]): ReadonlyMap<string, string> {
  return new Map(
    packages.map(({ manifest, directory }) => [manifest.name, join(directory, '.packed', 'package.tgz')]),
  );
}

const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];

/**
 * Does what a reader of the package's README does in a new folder: installs what the install line names, copies
 * the files, runs the example.
 *
 * @param unpacked Where what npm would install is unpacked. Undefined where npm installs.
 */
export async function standAlone(
  pkg: PublicPackage,
  tarballs: ReadonlyMap<string, string>,
  folder: string,
  unpacked: Unpacked | undefined,
): Promise<{ readonly printed: string; readonly promised: string }> {
  const readme = join(pkg.directory, 'README.md');
  if (!existsSync(readme)) throw new Error(`${pkg.folder} has no README.md`);
  const promise = readPromise(readFileSync(readme, 'utf8'));
  if (!promise.install.includes(pkg.manifest.name)) {
    throw new Error(`the install line of ${pkg.folder} does not name "${pkg.manifest.name}"`);
  }
  importsAreInstalled(promise);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifestOf(promise, tarballs), null, 2));
  for (const [name, text] of promise.files) writeFileSync(join(folder, name), text);
  // A peer that the install line forgets is not there, as with package managers other than npm.
  if (unpacked === undefined) await run('npm', ['install', '--legacy-peer-deps', ...quiet], folder);
  else await unpack(promise.install, tarballs, folder, unpacked);
  return { printed: await runExample(promise, folder), promised: promise.output };
}

/** npm's flat layout would let an example import what it never installed. */
function importsAreInstalled({ install, files }: ReadmePromise): void {
  for (const [name, text] of files) {
    const missing = readSyntax(name, text)
      .imports.filter((specifier) => !specifier.startsWith('.') && !isBuiltin(specifier))
      .map(packageName)
      .find((imported) => !install.includes(imported));
    if (missing !== undefined)
      throw new Error(`${name} imports "${missing}", which the install line does not name`);
  }
}

function manifestOf({ install }: ReadmePromise, tarballs: ReadonlyMap<string, string>): object {
  const overrides = Object.fromEntries([...tarballs].map(([name, file]) => [name, `file:${file}`]));
  const dependencies = Object.fromEntries(
    install.map((name) => [name, overrides[name] ?? testedVersion(name)]),
  );
  return { private: true, type: 'module', dependencies, overrides };
}

/** The version that the workspace is tested with, so that the run does not depend on the day. */
function testedVersion(name: string): string {
  return (require(`${name}/package.json`) as { version: string }).version;
}

async function runExample({ example }: ReadmePromise, folder: string): Promise<string> {
  if (example === 'example.mjs') return run(process.execPath, [example], folder);
  const compilerOptions = {
    target: 'ES2022',
    lib: ['ES2023', 'ESNext.Disposable', 'DOM'],
    module: 'NodeNext',
    strict: true,
    types: [],
    noEmit: true,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  await run(join(import.meta.dirname, '../../node_modules/.bin/tsc'), ['-p', folder], folder);
  return run(process.execPath, ['--import', `file://${require.resolve('tsx')}`, example], folder);
}
