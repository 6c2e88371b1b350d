import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { run } from '../packed/commands.js';
import { tarballsOf } from '../packed/stand-alone.js';
import { unpack } from '../packed/unpack.js';
import { publicPackages } from '../public-packages.js';
import { repository } from '../repository.js';
import { programOf } from './program.js';

const compilers = ['typescript-minimum', 'typescript-api', 'typescript'];
const resolutions = [
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
];
const versions = compilers.map((name) => ({ name, version: versionOf(name) }));
const all = versions.flatMap(({ name, version }) =>
  resolutions.map((options) => ({ name, version, options, resolution: options.moduleResolution })),
);
/** Without an exhaustive run the newest version only, which is the quickest, as Node.js finds modules, which is stricter than bundlers are. */
const cells = exhaustive ? all : all.slice(-2, -1);

/** An error in the program or in a package of this project; zod itself needs TypeScript 5.4 where libraries are checked. */
const ours = /^(?:program\.ts|node_modules\/(?:@rxmcp|rxmcp)\/).*error TS/;

/** The declarations of the packed packages are for every version of TypeScript that the README says. Needs a build. */
describe('TypeScript', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rxmcp-types-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeAll(async () => {
    const packages = publicPackages();
    const names = packages.map(({ manifest }) => manifest.name);
    await unpack([...names, 'rxjs', 'zod', '@types/node'], tarballsOf(packages), folder);
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    writeFileSync(join(folder, 'program.ts'), programOf(subpaths(folder, names)));
  });

  it.each(cells)('$version with $resolution', async ({ name, options, resolution }) => {
    const project = join(folder, `${name}-${resolution}`);
    mkdirSync(project);
    const compilerOptions = {
      target: 'es2022',
      // Version 5.2 has no es2024; every version has what the packages use.
      lib: ['es2023', 'esnext.disposable', 'dom', 'dom.iterable'],
      ...options,
      types: ['node'],
      typeRoots: ['../node_modules/@types'],
      strict: true,
      // The declarations themselves are checked, and not only what a program uses of them.
      skipLibCheck: false,
      noEmit: true,
    };
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['../program.ts'] }),
    );
    const compiler = join(repository, 'apps/e2e/node_modules', name, 'bin/tsc');
    const printed = await run(process.execPath, [compiler, '-p', project, '--pretty', 'false'], folder).then(
      () => '',
      (error: unknown) => String(error),
    );
    expect(printed.split('\n').filter((line) => ours.test(line))).toEqual([]);
    // What fails for another reason, such as an unknown option, is not hidden.
    expect(printed).not.toMatch(/^error TS/m);
  });

  // Without an exhaustive run the program above, which imports each of them, is enough.
  if (exhaustive)
    it.each([...tarballsOf(publicPackages())])('finds all of %s', async (_name, tarball) => {
      const { resolutionProblems } = await import('./resolution.js');
      expect(await resolutionProblems(readFileSync(tarball))).toEqual([]);
    });

  it('the README says the lowest version', () => {
    const minimum = versions[0]?.version.split('.').slice(0, 2).join('.');
    const readme = readFileSync(join(repository, 'README.md'), 'utf8');
    const install = readme.slice(readme.indexOf('## Install'), readme.indexOf('## Hello'));
    expect(install).toContain(`TypeScript ${minimum}`);
  });
});

function versionOf(name: string): string {
  const file = join(repository, 'apps/e2e/node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** What programs may import; `/internal` is for the packages themselves. */
function subpaths(folder: string, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const file = join(folder, 'node_modules', name, 'package.json');
    const { exports } = JSON.parse(readFileSync(file, 'utf8')) as { exports: object };
    return Object.keys(exports)
      .filter((path) => path !== './package.json')
      .map((path) => name + path.slice(1));
  });
}
